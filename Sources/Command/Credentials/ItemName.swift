// SPDX-License-Identifier: Apache-2.0

import Foundation
package import KeychainEngine
package import Keychains
import Readers

/// The name by which the user knows a password: `SERVICE`, `SERVICE/ACCOUNT` or `zamok://SERVICE/ACCOUNT`.
/// A server may take the place of the service.
/// A name that contains slashes is looked up whole before it is divided.
package struct ItemName: Sendable {
    /// The prefix of a reference in a template or an environment file.
    package static let scheme = "zamok://"

    private let text: String
    private let account: String?
    /// Whether all of `text` is the service.
    private let isService: Bool

    /// `text`: a name. All of it is the service if `account` is given or `isService` is true.
    package init(_ text: String, account: String? = nil, isService: Bool = false) {
        self.text = text
        self.account = account
        self.isService = isService || account != nil
    }

    /// A name or reference that the user typed. Nil: it is a reference with a part that can't be decoded.
    package init?(word: String) {
        guard word.hasPrefix(Self.scheme) else {
            self.init(word)
            return
        }
        self.init(reference: word)
    }

    /// A reference: a name with the scheme and percent-encoding, such as `%20`.
    /// The text after the slash is the account, which may be empty. Without a slash no account is given.
    /// Nil: it isn't a reference, or a part can't be decoded.
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
        // A slash in the service is written as %2F here.
        self.init(service, account: parts.dropFirst().joined(separator: "/"))
    }

    /// All passwords of this name, without their secrets.
    /// `reading`: before the first unlock, those that are readable suffice if there are any.
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

    /// The only password of this name. `reading`: as for `all`.
    /// Errors: `.itemNotFound`; `.parameter` if there are several, with their accounts or how they differ.
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

    /// A new generic password of this name, to be added. Errors: `.parameter` if the service is empty.
    package func newRecord() throws(KeychainError) -> ItemRecord {
        let (service, account) = account.map { (text, $0) } ?? divided ?? (text, "")
        guard !service.isEmpty else {
            throw KeychainError(
                .parameter,
                "the name has no service; is a variable not set? An item without one is stored by: zamok keychain add")
        }
        var record = ItemRecord(.genericPassword)
        try record.set(.service, service)
        try record.set(.account, account)
        return record
    }

    /// The name in written form.
    package var shown: String { account.map { "\(text)/\($0)" } ?? text }

    /// The names of all passwords of a list, so that each name identifies no other password of it.
    /// A name consists of service and account if that is unambiguous, else it is a reference.
    /// Passwords with equal service and account have the same name.
    package static func names(of records: [ItemRecord]) -> [String] {
        var places: [String: Int] = [:]
        for record in records { places[place(of: record), default: 0] += 1 }
        return records.map { record in
            let (place, account) = (place(of: record), record[.account] ?? "")
            let name = place + (account.isEmpty ? "" : "/\(account)")
            // As `all` reads it: whole if an item has that name, else divided.
            let isClear =
                places[name].map { account.isEmpty && $0 == 1 } ?? (!place.isEmpty && !account.contains("/"))
            return isClear && isPlain(name) ? name : "\(scheme)\(encoded(place))/\(encoded(account))"
        }
    }

    /// The service, or the server.
    package static func place(of record: ItemRecord) -> String { record[.service] ?? record[.server] ?? "" }

    /// Whether the name can be used unchanged in a line, as a shell's word and as an argument of this command.
    private static func isPlain(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        return !name.isEmpty && !name.hasPrefix("-") && !name.hasPrefix(scheme) && scalars.allSatisfy(\.isPrintable)
            && scalars.first?.properties.isWhitespace == false && scalars.last?.properties.isWhitespace == false
    }

    /// Percent-encodes a part of a reference. RFC 3986's unreserved characters stay unchanged.
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

    /// The fields by which several items of one name differ.
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
