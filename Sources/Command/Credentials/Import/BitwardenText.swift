// SPDX-License-Identifier: Apache-2.0

import Foundation
package import KeychainEngine
package import Keychains
import Readers
package import SecretMemory

/// Bitwarden's unencrypted JSON export, for import and export.
package enum BitwardenText {
    private struct File: Decodable {
        var encrypted: Bool?
        var items: [WholeItem]?
        var folders: [Folder]?
        var collections: [Folder]?
    }

    private struct Folder: Decodable {
        var id: String?
        var name: String?
    }

    private struct Item: Decodable {
        var type: Int?
        var name: String?
        var notes: String?
        var folderId: String?
        var collectionIds: [String]?
        var archivedDate: String?
        var login: Login?
        var fields: [Field]?
        var passwordHistory: [Former]?
    }

    /// An item, and the names of its members that are unknown here and not empty.
    private struct WholeItem: Decodable {
        let item: Item
        let unknown: [String]

        init(from decoder: any Decoder) throws {
            item = try Item(from: decoder)
            let members = try decoder.container(keyedBy: Member.self)
            // A member that belongs to another type of item is refused with the item.
            let parts = [3: "card", 4: "identity", 5: "sshKey"]
            var unknown = Self.names(members, but: Self.known + [parts[item.type ?? 1] ?? ""])
            if let login = try? members.nestedContainer(keyedBy: Member.self, forKey: Member("login")) {
                unknown += Self.names(login, but: Self.knownOfLogin)
            }
            self.unknown = unknown
        }

        private static let known = [
            "id", "organizationId", "folderId", "collectionIds", "type", "reprompt", "name", "notes", "favorite",
            "login", "secureNote", "fields", "passwordHistory", "revisionDate", "creationDate", "deletedDate",
            "archivedDate",
        ]
        private static let knownOfLogin = [
            "uris", "username", "password", "totp", "fido2Credentials", "passwordRevisionDate", "autofillOnPageLoad",
        ]

        private static func names(_ members: KeyedDecodingContainer<Member>, but known: [String]) -> [String] {
            members.allKeys.filter { !known.contains($0.stringValue) && says(members, $0) }.map(\.stringValue).sorted()
        }

        /// Whether a member is anything but null, false or empty.
        private static func says(_ members: KeyedDecodingContainer<Member>, _ name: Member) -> Bool {
            if (try? members.decodeNil(forKey: name)) == true { return false }
            if let flag = try? members.decode(Bool.self, forKey: name) { return flag }
            if let text = try? members.decode(String.self, forKey: name) { return !text.isEmpty }
            if let list = try? members.nestedUnkeyedContainer(forKey: name) { return !list.isAtEnd }
            return true
        }
    }

    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    private struct Login: Decodable {
        var username: String?
        var password: String?
        var totp: String?
        var uris: [Address]?
        var fido2Credentials: [Former]?
    }

    private struct Address: Decodable { var uri: String? }
    private struct Field: Decodable { var name: String? }
    private struct Former: Decodable {}

    private static let kinds = [3: "a card", 4: "an identity", 5: "an SSH key"]

    /// Reads an export. Errors: `.unknownFormat`; `.unsupportedFormat` for an encrypted one; `.dataTooLarge`.
    package static func listing(_ bytes: [UInt8]) throws(KeychainError) -> ItemListing {
        do throws(ReadingError) { try JSONMeasure.check(bytes, values: 1_000_000, containers: 250_000) } catch {
            throw KeychainError(
                .dataTooLarge, "the export can't be read: \(error.message); nothing was added; divide it", cause: error)
        }
        let file: File
        do { file = try JSONDecoder().decode(File.self, from: Data(bytes)) } catch {
            throw KeychainError(.unknownFormat, "this is no export of Bitwarden as JSON", cause: error)
        }
        guard file.encrypted != true else {
            throw KeychainError(
                .unsupportedFormat,
                "the export is encrypted; in Bitwarden choose the file format .json, without encryption")
        }
        guard let items = file.items else {
            throw KeychainError(.unknownFormat, "this is no export of Bitwarden as JSON: it has no items")
        }
        var budget = ForeignBudget()
        var found: [ItemListing.Part] = []
        let folders = names(file.folders)
        let collections = names(file.collections)
        for (number, whole) in items.enumerated() {
            let item = whole.item
            var entry = ForeignEntry(number + 1)
            entry.losses = whole.unknown.prefix(8).map { "the content of \(ForeignEntry.shown($0))" }
            if let folder = item.folderId { entry.file("folder", folders[folder] ?? folder) }
            for collection in item.collectionIds ?? [] {
                entry.file("collection", collections[collection] ?? collection)
            }
            if item.archivedDate != nil { entry.file("archived", "") }
            found += try parts(item, entry, &budget)
        }
        return ItemListing(found, place: "entry")
    }

    private static func names(_ folders: [Folder]?) -> [String: String] {
        (folders ?? []).reduce(into: [:]) { if let id = $1.id { $0[id] = $1.name } }
    }

    private static func parts(
        _ item: Item, _ entry: ForeignEntry, _ budget: inout ForeignBudget
    ) throws(KeychainError) -> [ItemListing.Part] {
        var entry = entry
        entry.title = item.name ?? ""
        entry.notes = item.notes ?? ""
        let addresses = item.login?.uris?.compactMap(\.uri).filter { !$0.isEmpty } ?? []
        entry.address = addresses.first ?? ""
        entry.otherAddresses = Array(addresses.dropFirst())
        entry.user = item.login?.username ?? ""
        entry.password = item.login?.password ?? ""
        entry.oneTimeCode = item.login?.totp ?? ""
        let counted = [
            (item.fields?.count ?? 0, "fields of its own"),
            (item.passwordHistory?.count ?? 0, "former passwords"),
            (item.login?.fido2Credentials?.count ?? 0, "passkeys"),
        ]
        entry.losses += counted.filter { $0.0 > 0 }.map { "\($0.1): \($0.0)" }
        try budget.take(entry)
        let type = item.type ?? 1
        guard type == 1 || type == 2 else {
            return entry.parts(refusing: "it is \(kinds[type] ?? "of a type that is not known")")
        }
        return entry.parts()
    }

    /// The addresses in a field of Bitwarden's CSV, which joins them by commas and doesn't escape commas within one.
    /// After an address with a path, a comma ends it only before `SCHEME://`.
    static func addresses(_ text: String) -> [String] {
        text.split(separator: ",").reduce(into: []) { found, part in
            let isNew = found.last.map { ForeignAddress($0)?.path.isEmpty ?? true } ?? true
            if isNew || part.contains("://") {
                found.append(String(part))
            } else {
                found[found.count - 1] += ",\(part)"
            }
        }
    }

    /// The parts of a file that Bitwarden and others read: its beginning, one entry, its end.
    package static let beginning = "{\"encrypted\":false,\"folders\":[],\"items\":["
    package static let end = "]}\n"

    /// An entry of the file. Nil: its secret isn't text.
    package static func entry(_ record: ItemRecord) throws -> [Secret]? {
        guard let secret = record.secret, let quoted = try JSONText.quoted(secret) else { return nil }
        let entry = LeavingEntry(record)
        if record[.description] == "secure note", entry.user.isEmpty, entry.notes.isEmpty {
            return [
                try Secret(copying: Array("{\"type\":2,\"name\":\(JSONText.quoted(entry.title)),\"notes\":".utf8)),
                quoted,
                try Secret(copying: Array(",\"secureNote\":{\"type\":0}}".utf8)),
            ]
        }
        var before = "{\"type\":1,\"name\":\(JSONText.quoted(entry.title)),\"notes\":"
        before += entry.notes.isEmpty ? "null" : JSONText.quoted(entry.notes)
        before += ",\"login\":{\"uris\":"
        before += entry.address.isEmpty ? "[]" : "[{\"match\":null,\"uri\":\(JSONText.quoted(entry.address))}]"
        before += ",\"username\":\(JSONText.quoted(entry.user)),"
        before += entry.isOneTimeCode ? "\"password\":null,\"totp\":" : "\"totp\":null,\"password\":"
        return [try Secret(copying: Array(before.utf8)), quoted, try Secret(copying: Array("}}".utf8))]
    }
}

/// The fields of an item that another password manager gets.
package struct LeavingEntry {
    package let title: String
    package let address: String
    package let user: String
    package let notes: String
    package let isOneTimeCode: Bool

    package init(_ record: ItemRecord) {
        let server = record[.server] ?? ""
        // An item is found by its service, which has no other field here.
        title = [record[.service], record[.label], server].compactMap { $0 }.first { !$0.isEmpty } ?? ""
        user = record[.account] ?? ""
        notes = record[.comment] ?? ""
        if record.itemClass == .internetPassword, !server.isEmpty {
            let scheme = record[.transport].flatMap { ItemField.scheme(ofTransport: $0) } ?? "https"
            let port = record[.port].map { ":\($0)" } ?? ""
            let path = record[.path] ?? ""
            address = "\(scheme)://\(server)\(port)\(path.isEmpty || path.hasPrefix("/") ? path : "/\(path)")"
        } else {
            address = ""
        }
        isOneTimeCode = (record[.service] ?? "").hasPrefix("otp/")
    }

    /// The header line of the CSV file.
    package static let head = CSVText.record(["name", "url", "username", "password", "note"])

    /// A record of the CSV file. Nil: the secret isn't text.
    package func record(_ secret: Secret) throws -> Secret? {
        guard let password = try String(exposing: secret) else { return nil }
        return try Secret(copying: Array(CSVText.record([title, address, user, password, notes]).utf8))
    }
}
