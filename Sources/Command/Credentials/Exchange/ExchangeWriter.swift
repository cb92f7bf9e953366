// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import KeychainEngine
package import Keychains
package import SecretMemory

/// Writes the passwords of a keychain as a document of the Credential Exchange Format (FIDO Alliance, CXF 1.0), in
/// clear. Entries that the keychain keeps from an import are given back with what their items contain now.
package struct ExchangeWriter {
    /// What was written, and what was not.
    package struct Result: Sendable, Equatable {
        /// Items of the document.
        package var count = 0
        /// Items without a secret, or whose secret is no text.
        package var binary = 0
        /// One-time codes by counter, which the format doesn't have.
        package var byCounter = 0
        /// Certificates, and keys that came from no document.
        package var keys = 0
        /// Kept entries that can't be read, or that a later version wrote.
        package var unreadable = 0
    }

    /// The account of items that came from no document.
    private static let ownAccount = ExchangeRules.base64URL(Array("zamok".utf8))
    /// The format wants a domain. This one belongs to no owner (RFC 6761).
    private static let exporter = "zamok.invalid"

    private let keychain: Keychain
    private let output: (Secret) throws -> Void
    private var result = Result()
    /// Items that are no kept entries, without their secrets.
    private var items: [ItemRecord] = []
    private var places: [LinkedName: [Int]] = [:]
    private var taken: Set<Int> = []
    private var frames: [String: [ItemRecord]] = [:]
    private var entries: [String: [ItemRecord]] = [:]
    private var accounts: [String] = []

    /// `put` receives the document piece by piece.
    package init(_ keychain: Keychain, _ put: @escaping (Secret) throws -> Void) {
        (self.keychain, output) = (keychain, put)
    }

    /// Writes the document. Prompts the user for secrets that require it.
    /// A kept entry that can't be read is left out, counted. Errors: `.locked`; those of `put`.
    package mutating func write(at date: Date) throws -> Result {
        try gather()
        var header: [ExchangeJSON.Member] = []
        var heads: [String: [ExchangeJSON.Member]] = [:]
        for account in accounts {
            guard let record = frames[account]?.first, let frame = try kept(record) else { continue }
            heads[account] = frame.content.members
            for member in frame.header where !header.contains(where: { $0.name.hasBytes(of: member.name) }) {
                header.append(member)
            }
        }
        let time = Int64(date.timeIntervalSince1970)
        let whole = ExchangeJSON.object(
            [
                .init(name: "version", value: .known([("major", .number("1")), ("minor", .number("0"))])),
                .init(name: "exporterRpId", value: .text(Self.exporter)),
                .init(name: "exporterDisplayName", value: .text("zamok")),
                .init(name: "timestamp", value: .number("\(max(0, time))")),
            ] + header)
        try put(bytes: Array(whole.bytes.dropLast()) + Array(",\"accounts\":[".utf8))
        for (number, account) in accounts.enumerated() {
            try write(account, heads[account], isFirst: number == 0)
        }
        // What is left over belongs to no kept entry.
        if !accounts.contains(Self.ownAccount), items.indices.contains(where: isOwn) {
            try write(Self.ownAccount, nil, isFirst: accounts.isEmpty)
        }
        try put(bytes: Array("]}\n".utf8))
        return result
    }

    private mutating func gather() throws {
        for itemClass in [ItemClass.genericPassword, .internetPassword, .key] {
            for record in try keychain.records(matching: ItemRecord(itemClass)) {
                guard !KeptEntry.isOne(record) else {
                    // An entry that was kept beside another has a number after the account.
                    let account = String((record[.account] ?? "").prefix { $0 != " " })
                    if entries[account] == nil, frames[account] == nil { accounts.append(account) }
                    if record[.service]?.hasBytes(of: KeptEntry.service) == true {
                        frames[account, default: []].append(record)
                    } else {
                        entries[account, default: []].append(record)
                    }
                    continue
                }
                if itemClass == .key {
                    result.keys += 1
                    guard KeyItem(content: ItemContent(record)).keyClass == .private else { continue }
                }
                places[LinkedName(record), default: []].append(items.count)
                items.append(record)
            }
        }
        result.keys += try keychain.records(matching: ItemRecord(.certificate)).count
        // Items of no document come last, after every link was followed.
        if let place = accounts.firstIndex(of: Self.ownAccount) { accounts.append(accounts.remove(at: place)) }
    }

    private func put(bytes: [UInt8]) throws { try output(try Secret(copying: bytes)) }

    private func whole(_ record: ItemRecord) throws -> ItemRecord? {
        guard let reference = record.persistentReference else { return nil }
        return try keychain.record(reference, includingSecret: true)
    }

    /// Nil: the entry can't be read.
    private mutating func kept(_ record: ItemRecord) throws -> KeptEntry? {
        do {
            if let secret = try whole(record)?.secret { return try KeptEntry(secret) }
        } catch let error as KeychainError {
            guard [.damaged, .unsupportedFormat].contains(error.code) else { throw error }
        }
        result.unreadable += 1
        return nil
    }

    private mutating func write(
        _ account: String, _ members: [ExchangeJSON.Member]?, isFirst: Bool
    ) throws {
        let own: [ExchangeJSON.Member] = [
            .init(name: "id", value: .text(account)), .init(name: "username", value: .text("")),
            .init(name: "email", value: .text("")), .init(name: "collections", value: .list([])),
        ]
        let head = ExchangeJSON.object(members ?? own)
        try self.put(
            bytes: Array((isFirst ? "" : ",\n").utf8) + Array(head.bytes.dropLast()) + Array(",\"items\":[".utf8))
        var identifiers: Set<[UInt8]> = []
        var count = 0
        func put(_ item: ExchangeJSON) throws {
            if count > 0 { try self.put(bytes: Array(",\n".utf8)) }
            for piece in try item.pieces() { try output(piece) }
            count += 1
        }
        for record in entries[account] ?? [] {
            guard let entry = try kept(record), var item = try filled(entry) else { continue }
            unique(&item, &identifiers)
            try put(item)
        }
        if account == Self.ownAccount {
            for place in items.indices where isOwn(place) {
                guard var item = try ownItem(items[place]) else { continue }
                unique(&item, &identifiers)
                try put(item)
            }
        }
        result.count += count
        try self.put(bytes: Array("]}".utf8))
    }

    private func isOwn(_ place: Int) -> Bool { !taken.contains(place) && items[place].itemClass != .key }

    /// Gives an item whose identifier is taken another one.
    private func unique(_ item: inout ExchangeJSON, _ identifiers: inout Set<[UInt8]>) {
        let text = item["id"]?.text ?? ""
        var identifier = ExchangeRules.bytes(base64URL: text) ?? Array(text.utf8)
        var number = 1
        while !identifiers.insert(identifier).inserted {
            number += 1
            identifier = Array(SHA256.hash(data: Array("\(text) (\(number))".utf8)).prefix(16))
            item["id"] = .text(ExchangeRules.base64URL(identifier))
        }
    }
}

extension ExchangeWriter {
    /// A kept entry with the secrets that its items have now. Nil: all of its items were deleted.
    private mutating func filled(_ entry: KeptEntry) throws -> ExchangeJSON? {
        let all = entry.content["credentials"]?.list ?? []
        var (credentials, gone, notes) = (all, Set<Int>(), [ExchangeJSON]())
        for link in entry.links where all.indices.contains(link.credential) {
            guard let kind = CredentialKind(rawValue: all[link.credential]["type"]?.text ?? "") else { continue }
            let found = link.names.compactMap { places[$0]?.first { !taken.contains($0) } }
            guard let place = found.first, let record = try whole(items[place]), let secret = record.secret else {
                gone.insert(link.credential)
                continue
            }
            taken.insert(place)
            if kind == .sshKey { result.keys -= 1 }
            for other in found.dropFirst() {
                // An address with another secret is an item of its own.
                guard try whole(items[other])?.secret.map(secret.isEqual) == true else { continue }
                taken.insert(other)
            }
            guard try put(secret, record, kind, &credentials[link.credential], title: entry.content["title"]?.text)
            else {
                gone.insert(link.credential)
                result.binary += 1
                continue
            }
            let comment = record[.comment] ?? ""
            if comment != link.comment, !comment.isEmpty { notes.append(Self.note(.text(comment))) }
        }
        guard gone.isEmpty || gone.count < all.count else { return nil }
        var item = entry.content
        let left = credentials.indices.filter { !gone.contains($0) }.map { credentials[$0] }
        item["credentials"] = .list(left + notes)
        return item
    }

    /// Puts a secret into its credential. False: it is no text, or no key that has the format's form.
    private func put(
        _ secret: Secret, _ record: ItemRecord, _ kind: CredentialKind, _ credential: inout ExchangeJSON, title: String?
    ) throws -> Bool {
        switch kind {
        case .sshKey:
            guard let text = try ExchangeKey.text(KeyItem(content: ItemContent(record))) else { return false }
            kind.put(.text(text), into: &credential)
        case .oneTimeCode:
            guard let address = try String(exposing: secret) else { return false }
            let text = OneTimeAddress.fields(address)["secret"] ?? ""
            guard OneTimeAddress.text(of: credential, text, title: title ?? "") != address else {
                kind.put(.text(text), into: &credential)
                return true
            }
            // The address was changed since: its values count.
            guard let changed = try Self.oneTimeCode(secret, address, user: "") else { return false }
            for member in changed.members ?? [] { credential[member.name] = member.value }
        default:
            guard let hidden = try ExchangeJSON.Hidden(secret) else { return false }
            kind.put(.hidden(hidden), into: &credential)
        }
        return true
    }

    private static func field(_ type: String, _ value: ExchangeJSON) -> ExchangeJSON {
        .known([("fieldType", .text(type)), ("value", value)])
    }

    private static func note(_ value: ExchangeJSON) -> ExchangeJSON {
        .known([("type", .text("note")), ("content", field("string", value))])
    }

    /// A code by time; nil: the address is of another kind.
    /// `user`: the account of its item; empty: the address has it.
    private static func oneTimeCode(_ secret: Secret, _ address: String, user: String) throws -> ExchangeJSON? {
        guard let code = try? OneTimeCode(secret), case .time(let period) = code.moment else { return nil }
        let fields = OneTimeAddress.fields(address)
        let label = code.label.split(separator: ":", maxSplits: 1).map(String.init)
        return .known([
            ("type", .text("totp")), ("secret", .text(fields["secret"] ?? "")), ("period", .number("\(period)")),
            ("digits", .number("\(code.digits)")), ("username", (user.isEmpty ? label.last : user).map { .text($0) }),
            ("algorithm", .text((fields["algorithm"] ?? "sha1").lowercased())),
            ("issuer", (fields["issuer"] ?? (label.count > 1 ? label.first : nil)).map { .text($0) }),
        ])
    }

    /// An item that came from no document. Nil: it is counted as left out.
    private mutating func ownItem(_ known: ItemRecord) throws -> ExchangeJSON? {
        guard let record = try whole(known), let secret = record.secret, let text = try String(exposing: secret),
            let hidden = try ExchangeJSON.Hidden(secret)
        else {
            result.binary += 1
            return nil
        }
        let entry = LeavingEntry(record)
        let isCode = try entry.isOneTimeCode && OneTimeCode.isOne(secret)
        let user: ExchangeJSON? = entry.user.isEmpty ? nil : Self.field("string", .text(entry.user))
        let value = Self.field("concealed-string", .hidden(hidden))
        var credentials: [ExchangeJSON]
        switch record[.description] {
        case _ where isCode:
            guard let code = try Self.oneTimeCode(secret, text, user: entry.user) else {
                result.byCounter += 1
                return nil
            }
            credentials = [code]
        case "secure note": credentials = [Self.note(.hidden(hidden))]
        case "API key": credentials = [.known([("type", .text("api-key")), ("key", value), ("username", user)])]
        case "Wi-Fi password": credentials = [.known([("type", .text("wifi")), ("ssid", user), ("passphrase", value)])]
        default:
            credentials = [.known([("type", .text("basic-auth")), ("username", user), ("password", value)])]
        }
        if !entry.notes.isEmpty { credentials.append(Self.note(.text(entry.notes))) }
        let identity = LinkedName(record).json.bytes + Array("\(record[.group] ?? "")".utf8)
        return .known([
            ("id", .text(ExchangeRules.base64URL(SHA256.hash(data: identity).prefix(16)))),
            ("creationAt", record.creationDate.map { .number("\(Int64($0.timeIntervalSince1970))") }),
            ("modifiedAt", record.modificationDate.map { .number("\(Int64($0.timeIntervalSince1970))") }),
            ("title", .text(entry.title)),
            (
                "scope",
                entry.address.isEmpty
                    ? nil : .known([("urls", .list([.text(entry.address)])), ("androidApps", .list([]))])
            ),
            ("credentials", .list(credentials)),
        ])
    }
}
