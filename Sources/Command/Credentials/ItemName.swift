// SPDX-License-Identifier: Apache-2.0

import Foundation
package import KeychainEngine
package import Keychains

/// What a person calls a password: `SERVICE`, `SERVICE/ACCOUNT`, or `zamok://SERVICE/ACCOUNT`. A server is as good as a service. Names that have slashes themselves are
/// found whole before they are divided.
package struct ItemName: Sendable {
    /// How a reference in a template or an environment file begins.
    package static let scheme = "zamok://"

    private let text: String
    private let account: String?
    /// `text` is the service whole.
    private let isService: Bool

    /// `text`: a name; the service whole where `account` is said apart from it, or `isService`.
    package init(_ text: String, account: String? = nil, isService: Bool = false) {
        self.text = text
        self.account = account
        self.isService = isService || account != nil
    }

    /// A reference: a name with the scheme, in which other characters than letters may stand as `%20`. Nil: it is none, or a part can't be read.
    package init?(reference: some StringProtocol) {
        guard reference.hasPrefix(Self.scheme) else { return nil }
        let words = reference.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        let parts = words.compactMap { String($0).removingPercentEncoding }
        guard parts.count == words.count, let service = parts.first, !service.isEmpty else { return nil }
        guard parts.count > 1 else {
            self.init(service, isService: true)
            return
        }
        // The name of the service has no slash here but as %2F.
        self.init(service, account: parts.dropFirst().joined(separator: "/"))
    }

    /// All passwords that are called so, without their secrets.
    package func all(in keychain: Keychain) throws(KeychainError) -> [ItemRecord] {
        if let account { return try Self.all(text, account: account, keychain: keychain) }
        let whole = try Self.all(text, account: nil, keychain: keychain)
        guard whole.isEmpty, let (service, account) = divided else { return whole }
        return try Self.all(service, account: account, keychain: keychain)
    }

    /// The one that is called so. Errors: `.itemNotFound`; `.parameter` where several are, whose accounts it names.
    package func only(in keychain: Keychain) throws(KeychainError) -> ItemRecord {
        let found = try all(in: keychain)
        guard found.count < 2 else {
            let accounts = found.map { $0[.account] ?? "" }.sorted()
            guard Set(accounts).count == accounts.count, account == nil else {
                throw KeychainError(
                    .parameter, "several items are called so, of several classes or groups; use: zamok keychain find")
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

    /// How it is written.
    package var shown: String { account.map { "\(text)/\($0)" } ?? text }

    /// How an item is called.
    package static func shown(_ record: ItemRecord) -> String {
        let account = record[.account] ?? ""
        return (record[.service] ?? record[.server] ?? "") + (account.isEmpty ? "" : "/\(account)")
    }

    private var divided: (service: String, account: String)? {
        guard !isService, let slash = text.lastIndex(of: "/"), slash > text.startIndex else { return nil }
        return (String(text[..<slash]), String(text[text.index(after: slash)...]))
    }

    private static func all(
        _ place: String, account: String?, keychain: Keychain
    ) throws(KeychainError) -> [ItemRecord] {
        var found: [ItemRecord] = []
        for (itemClass, field) in [(ItemClass.genericPassword, ItemField.service), (.internetPassword, .server)] {
            var query = ItemRecord(itemClass)
            try query.set(field, place)
            if let account { try query.set(.account, account) }
            found += try keychain.records(matching: query)
        }
        return found
    }
}
