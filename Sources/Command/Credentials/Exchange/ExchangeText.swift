// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
import Readers
package import SecretMemory

/// Documents of the Credential Exchange Format (FIDO Alliance, CXF 1.0), for import.
package enum ExchangeText {
    /// Checks a whole document, and lists its items, which are parsed one by one while they are added.
    ///
    /// Each item becomes one of the keychain for every credential that is a password, a one-time code, a note or a key,
    /// and an entry that keeps the rest of it for an export.
    ///
    /// Errors: `.unknownFormat`; `.unsupportedFormat` for another version, and for what the format forbids;
    /// `.dataTooLarge`.
    package static func listing(_ text: Secret) throws -> ItemListing {
        var bytes = try [UInt8](exposing: text)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        return ItemListing(ExchangeSource(text, try ExchangeDocument(bytes)), place: "entry")
    }
}

/// The entries of a document: first the accounts, then the items.
private final class ExchangeSource: ItemListing.PartSource {
    private let text: Secret
    private let document: ExchangeDocument
    /// The names that earlier items of the document have.
    private var names: Set<LinkedName> = []
    private var keys = 0

    init(_ text: Secret, _ document: ExchangeDocument) {
        self.text = text
        self.document = document
    }

    var count: Int { document.accounts.count + document.places.count }

    func entry(_ number: Int) throws -> (parts: [ItemListing.Part], kept: [String]) {
        if number == 0 { (names, keys) = ([], 0) }
        guard number >= document.accounts.count else {
            let account = document.accounts[number]
            let entry = KeptEntry(
                account: account.identifier, content: .object(account.members), isItem: false,
                header: number == 0 ? document.header : [])
            do { return ([ItemListing.Part(0, try entry.record())], []) } catch let error as KeychainError
                where error.code == .dataTooLarge
            {
                throw KeychainError(
                    .dataTooLarge, "an account with its collections is larger than 16 MiB; nothing was added")
            }
        }
        let place = document.places[number - document.accounts.count]
        var bytes = try text.withSecretBytes { try $0.exposingBytes(place.range) } ?? []
        defer { for index in bytes.indices { bytes[index] = 0 } }
        let line = number - document.accounts.count + 1
        return try parts(line, try ExchangeJSONReader.value(bytes), document.accounts[place.account])
    }

    private func parts(
        _ line: Int, _ item: ExchangeJSON, _ account: ExchangeDocument.Account
    ) throws -> (parts: [ItemListing.Part], kept: [String]) {
        let title = item["title"]?.text ?? ""
        func told(_ reason: String) -> String { title.isEmpty ? reason : "\(ForeignEntry.shown(title)): \(reason)" }
        if let violation = ExchangeRules.violation(item) {
            return ([ItemListing.Part(line, refused: told(violation))], [])
        }
        let collections = ExchangeRules.identifier(item["id"]).flatMap { account.collections[$0] } ?? []
        let natives = NativeItems(item, collections: collections, line: line)
        var credentials = item["credentials"]?.list ?? []
        var (parts, links, kept): ([ItemListing.Part], [KeptEntry.Link], [String]) = ([], [], [])
        for (number, credential) in credentials.enumerated() {
            let kind = credential["type"]?.text ?? ""
            keys += kind == CredentialKind.sshKey.rawValue ? 1 : 0
            guard let known = CredentialKind(rawValue: kind), known != .sshKey || keys <= Self.mostKeys,
                let records = try natives.records(known, credential)
            else {
                kept.append(ForeignEntry.shown(kind))
                continue
            }
            // Of two secrets under one name the second stays in the entry: else an export would mistake them.
            let own = records.map(LinkedName.init)
            guard Set(own).count == own.count, names.isDisjoint(with: own) else {
                kept.append("\(kind) of a name that another entry has")
                continue
            }
            names.formUnion(own)
            parts += records.map { ItemListing.Part(line, $0) }
            known.put(.text(""), into: &credentials[number])
            links.append(KeptEntry.Link(credential: number, names: own, comment: records.first?[.comment] ?? ""))
        }
        var content = item
        content["credentials"] = .list(credentials)
        let entry = KeptEntry(account: account.identifier, content: content, isItem: true, links: links)
        do { parts.append(ItemListing.Part(line, try entry.record())) } catch {
            return ([ItemListing.Part(line, refused: told(KeychainError(error).message))], [])
        }
        return (parts, kept)
    }

    /// How many SSH keys of a document become items: checking a malformed one can take long.
    private static let mostKeys = 1000
}

/// The items that the credentials of an item become.
private struct NativeItems {
    /// Limits for what becomes an item; anything larger is kept.
    private static let (longestName, longestSecret, mostAddresses) = (4096, 1 << 20, 64)

    private let title: String
    /// The user of the first password.
    private let login: String
    private let isSingle: Bool
    private let addresses: [String]
    private let collections: [String]
    private let tags: String
    private let line: Int

    init(_ item: ExchangeJSON, collections: [String], line: Int) {
        title = item["title"]?.text ?? ""
        addresses = (item["scope"]?["urls"]?.list ?? []).compactMap(\.text).filter { !$0.isEmpty }
        tags = (item["tags"]?.list ?? []).compactMap(\.text).joined(separator: ", ")
        let credentials = item["credentials"]?.list ?? []
        login = credentials.first { $0["type"]?.text == CredentialKind.basicAuth.rawValue }.map(Self.user) ?? ""
        isSingle = credentials.count == 1
        self.collections = collections
        self.line = line
    }

    /// The items for a credential, with their secrets. Nil: it becomes none.
    func records(_ kind: CredentialKind, _ credential: ExchangeJSON) throws -> [ItemRecord]? {
        guard let secret = kind.secret(of: credential), isSmall(secret) else { return nil }
        do {
            switch kind {
            case .basicAuth:
                return try with(secret, entry(Self.user(of: credential)).passwordRecords(of: addresses))
            case .oneTimeCode:
                guard let address = OneTimeAddress.text(of: credential, secret, title: title),
                    try ForeignEntry.isCode(address)
                else { return nil }
                let user = Self.user(of: credential)
                return try with(address, [entry(user.isEmpty ? login : user).oneTimeCodeRecord()])
            case .note:
                // The name of the item alone is its password's.
                let name = isSingle ? title : title.isEmpty ? "" : "\(title) notes"
                return try with(
                    secret, [named(name.isEmpty ? "note" : name, "secure note", user: isSingle ? "" : login)])
            case .apiKey: return try with(secret, [named(title, "API key", user: Self.user(of: credential))])
            case .wifi:
                let network = credential["ssid"]?["value"]?.text ?? ""
                return try with(secret, [named(title, "Wi-Fi password", user: network)])
            case .generatedPassword: return try with(secret, [named(title, "generated password")])
            case .sshKey: return try key(secret, credential).map { [$0] }
            }
        } catch let error as KeychainError where error.code == .parameter {
            return nil
        }
    }

    private func isSmall(_ secret: String) -> Bool {
        ([title] + addresses).allSatisfy { $0.utf8.count <= Self.longestName } && addresses.count <= Self.mostAddresses
            && secret.utf8.count <= Self.longestSecret / max(1, addresses.count)
    }

    private static func user(of credential: ExchangeJSON) -> String {
        // Of a one-time code it is a text, of others a field.
        credential["username"]?["value"]?.text ?? credential["username"]?.text ?? ""
    }

    private func entry(_ user: String) throws -> ForeignEntry {
        var entry = ForeignEntry(line)
        entry.title = title
        entry.address = addresses.first ?? ""
        entry.otherAddresses = Array(addresses.dropFirst())
        entry.user = user
        guard entry.user.utf8.count <= Self.longestName, ExchangeRules.isName(entry.user) else {
            throw KeychainError(.parameter, "the user is no name")
        }
        for collection in collections { entry.file("collection", collection) }
        if !tags.isEmpty, tags.utf8.count <= Self.longestName { entry.file("tags", tags) }
        return entry
    }

    private func named(_ service: String, _ description: String, user: String = "") throws -> ItemRecord {
        guard user.utf8.count <= Self.longestName, ExchangeRules.isName(user), !service.isEmpty else {
            throw KeychainError(.parameter, "there is no name")
        }
        var record = ItemRecord(.genericPassword)
        try record.set(.service, service)
        try record.set(.account, user)
        try record.set(.description, description)
        return record
    }

    private func with(_ secret: String, _ records: [ItemRecord]) throws -> [ItemRecord] {
        let secret = try Secret(copying: Array(secret.utf8))
        return records.map { record in
            var record = record
            record.secret = secret
            return record
        }
    }

    /// A private key, if the keychain's own form of it has the same bytes.
    private func key(_ text: String, _ credential: ExchangeJSON) throws -> ItemRecord? {
        guard var der = ExchangeRules.bytes(base64URL: text), ExchangeRules.base64URL(der) == text else { return nil }
        defer { for index in der.indices { der[index] = 0 } }
        guard let key = try? KeyItem(Data(der)), key.keyClass == .private, try ExchangeKey.text(key) == text else {
            return nil
        }
        var record = ItemRecord(key)
        let comment = credential["keyComment"]?.text ?? ""
        let name = comment.isEmpty || !ExchangeRules.isName(comment) ? title : comment
        if !name.isEmpty { try record.set(.label, ForeignEntry.shown(name)) }
        return record
    }
}

/// Private keys in a document.
enum ExchangeKey {
    /// PKCS#8 in Base64url; nil: the key has no such form.
    static func text(_ key: KeyItem) throws(KeychainError) -> String? {
        guard let lines = try key.pem()?.split(separator: "\n"), lines.first == "-----BEGIN PRIVATE KEY-----" else {
            return nil
        }
        return Data(base64Encoded: lines.dropFirst().dropLast().joined()).map { ExchangeRules.base64URL($0) }
    }
}

/// The `otpauth://` address of a one-time code.
enum OneTimeAddress {
    /// The address for a credential and its secret; nil: a part is missing or unknown.
    static func text(of credential: ExchangeJSON, _ secret: String, title: String) -> String? {
        var text = "otpauth://totp/"
        let issuer = credential["issuer"]?.text ?? ""
        let user = credential["username"]?.text ?? ""
        if !issuer.isEmpty { text += ForeignEntry.encoded(issuer) + ":" }
        text += ForeignEntry.encoded(user.isEmpty ? title : user) + "?secret=" + ForeignEntry.encoded(secret)
        if !issuer.isEmpty { text += "&issuer=" + ForeignEntry.encoded(issuer) }
        if let algorithm = credential["algorithm"], algorithm != .null {
            guard let name = algorithm.text, ["sha1", "sha256", "sha512"].contains(name.lowercased()) else {
                return nil
            }
            text += "&algorithm=" + name.uppercased()
        }
        for name in ["digits", "period"] {
            guard let value = credential[name], value != .null else { continue }
            guard let number = value.whole else { return nil }
            text += "&\(name)=\(number)"
        }
        return text
    }

    /// The secret in an address, and the values of its fields.
    static func fields(_ text: String) -> [String: String] {
        let query = text.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return query.prefix { $0 != "#" }.split(separator: "&").reduce(into: [:]) { fields, item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
            fields[(name.removingPercentEncoding ?? name).lowercased()] = value.removingPercentEncoding ?? value
        }
    }
}
