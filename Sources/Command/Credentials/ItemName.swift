// SPDX-License-Identifier: Apache-2.0

import Foundation
package import KeychainEngine
package import Keychains
import Readers

/// The name by which a person knows a password: `SERVICE`, `SERVICE/ACCOUNT`, or `zamok://SERVICE/ACCOUNT`. A server is as good as a service. Names that contain slashes are
/// looked up whole before they are divided.
package struct ItemName: Sendable {
    /// How a reference in a template or an environment file begins.
    package static let scheme = "zamok://"

    private let text: String
    private let account: String?
    /// Whether all of `text` is the service.
    private let isService: Bool

    /// `text`: a name; all of it is the service if `account` is given, or `isService`.
    package init(_ text: String, account: String? = nil, isService: Bool = false) {
        self.text = text
        self.account = account
        self.isService = isService || account != nil
    }

    /// What a person typed: a reference or a name. Nil: a reference of which a part can't be read.
    package init?(word: String) {
        guard word.hasPrefix(Self.scheme) else {
            self.init(word)
            return
        }
        self.init(reference: word)
    }

    /// A reference: a name with the scheme, in which other characters than letters may stand as `%20`. Behind a slash stands the account, which may be empty; without
    /// one it is left out. Nil: it is none, or a part can't be read.
    package init?(reference: some StringProtocol) {
        guard reference.hasPrefix(Self.scheme) else { return nil }
        let words = reference.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        let parts = words.compactMap { String($0).removingPercentEncoding }
        guard parts.count == words.count, let service = parts.first else { return nil }
        guard parts.count > 1 else {
            guard !service.isEmpty else { return nil }
            self.init(service, isService: true)
            return
        }
        // The name of the service has a slash here only as %2F.
        self.init(service, account: parts.dropFirst().joined(separator: "/"))
    }

    /// All passwords that are called so, without their secrets. `reading`: before the first unlock those that can be read then are enough, where there are any.
    package func all(in keychain: Keychain, reading: Bool = false) throws(KeychainError) -> [ItemRecord] {
        if let account { return try Self.all(text, account: account, keychain: keychain, reading: reading) }
        guard let (service, account) = divided else {
            return try Self.all(text, account: nil, keychain: keychain, reading: reading)
        }
        do throws(KeychainError) {
            let whole = try Self.all(text, account: nil, keychain: keychain, reading: reading)
            guard whole.isEmpty else { return whole }
        } catch {
            guard reading, error.code == .locked else { throw error }
        }
        return try Self.all(service, account: account, keychain: keychain, reading: reading)
    }

    /// The one that is called so. Errors: `.itemNotFound`; `.parameter` where several are, whose accounts it names. `reading`: as for `all`.
    package func only(in keychain: Keychain, reading: Bool = false) throws(KeychainError) -> ItemRecord {
        let found = try all(in: keychain, reading: reading)
        guard found.count < 2 else {
            let accounts = found.map { $0[.account] ?? "" }.sorted()
            guard Set(accounts).count == accounts.count, account == nil else {
                throw KeychainError(
                    .parameter,
                    "several items are called \(shown); they differ by \(Self.difference(found)); show them with zamok keychain find --json, and say which one by --reference, for example: zamok keychain find --reference REFERENCE -w"
                )
            }
            throw KeychainError(
                .parameter,
                "there are several accounts; name one, as \(text)/ACCOUNT: \(accounts.joined(separator: ", "))")
        }
        guard let one = found.first else { throw KeychainError(.itemNotFound, "there is no item called \(shown)") }
        return one
    }

    /// A generic password of this name, to be added.
    package func newRecord() throws(KeychainError) -> ItemRecord {
        let (service, account) = account.map { (text, $0) } ?? divided ?? (text, "")
        var record = ItemRecord(.genericPassword)
        try record.set(.service, service)
        try record.set(.account, account)
        return record
    }

    /// The name as it is written.
    package var shown: String { account.map { "\(text)/\($0)" } ?? text }

    /// How the passwords of a whole list are called, each so that nothing else of them is meant: by service and account where that is clear, else by a reference. Those
    /// that differ by neither have the same name.
    package static func names(of records: [ItemRecord]) -> [String] {
        var places: [String: Int] = [:]
        for record in records { places[place(of: record), default: 0] += 1 }
        return records.map { record in
            let (place, account) = (place(of: record), record[.account] ?? "")
            let name = place + (account.isEmpty ? "" : "/\(account)")
            // As `all` reads it: whole if there is something of that name, else divided.
            let isClear =
                places[name].map { account.isEmpty && $0 == 1 } ?? (!place.isEmpty && !account.contains("/"))
            return isClear && isPlain(name) ? name : "\(scheme)\(encoded(place))/\(encoded(account))"
        }
    }

    /// The service or the server.
    package static func place(of record: ItemRecord) -> String { record[.service] ?? record[.server] ?? "" }

    /// Whether a line, a shell's word and this command take it as it is.
    private static func isPlain(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        return !name.isEmpty && !name.hasPrefix("-") && !name.hasPrefix(scheme) && scalars.allSatisfy(\.isPrintable)
            && scalars.first?.properties.isWhitespace == false && scalars.last?.properties.isWhitespace == false
    }

    /// For a reference: RFC 3986's unreserved characters as they are.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + String(hexadecimal: CollectionOfOne(byte)).uppercased()
            }
        }
    }

    /// What several items of one name differ by.
    private static func difference(_ found: [ItemRecord]) -> String {
        let fields: [ItemField] = [
            .group, .port, .transport, .path, .securityDomain, .authenticationType, .synchronizable,
        ]
        let differing = fields.filter { field in Set(found.map { $0[field] ?? "" }).count > 1 }.map(\.name)
        let classes = Set(found.map(\.itemClass)).count > 1 ? ["class"] : []
        return (classes + differing).joined(separator: ", ")
    }

    private var divided: (service: String, account: String)? {
        guard !isService, let slash = text.lastIndex(of: "/"), slash > text.startIndex else { return nil }
        return (String(text[..<slash]), String(text[text.index(after: slash)...]))
    }

    private static func all(
        _ place: String, account: String?, keychain: Keychain, reading: Bool
    ) throws(KeychainError) -> [ItemRecord] {
        var queries: [ItemRecord] = []
        for (itemClass, field) in [(ItemClass.genericPassword, ItemField.service), (.internetPassword, .server)] {
            var query = ItemRecord(itemClass)
            try query.set(field, place)
            if let account { try query.set(.account, account) }
            queries.append(query)
        }
        return try keychain.records(matchingAny: queries, takingReadable: reading)
    }
}
