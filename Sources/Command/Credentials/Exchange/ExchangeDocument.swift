// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import Readers

/// A document of the Credential Exchange Format (FIDO Alliance, CXF 1.0), checked whole. Items are found by their place
/// in the bytes, and parsed again one by one.
struct ExchangeDocument {
    /// An account without its items.
    struct Account {
        /// The identifier, in Base64url.
        var identifier = ""
        /// All members but `items`.
        var members: [ExchangeJSON.Member] = []
        /// The titles of the collections that an item is in, by the item's identifier as bytes.
        var collections: [[UInt8]: [String]] = [:]
    }

    /// An item's place.
    struct Place {
        /// The index of its account.
        let account: Int
        let range: Range<Int>
    }

    static let mostItems = ForeignBudget.mostEntries
    private static let mostAccounts = 1000
    private static let mostCollections = 100_000
    private static let mostLinks = 1_000_000
    /// The collections of an item that its comment names.
    private static let mostTitles = 8

    private(set) var accounts: [Account] = []
    private(set) var places: [Place] = []
    /// Members of the header that CXF 1.0 doesn't have.
    private(set) var header: [ExchangeJSON.Member] = []

    /// Reads a document, or a single account, as an app's import function gets it.
    ///
    /// Errors: `.unknownFormat` if it is no such document; `.unsupportedFormat` for another major version, for the
    /// sealed archive of the protocol, and for what the format forbids; `.dataTooLarge`.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        guard !bytes.starts(with: Array("PK\u{3}\u{4}".utf8)), !bytes.starts(with: Array("eyJ".utf8)) else {
            throw KeychainError(
                .unsupportedFormat,
                "this is the sealed archive of the exchange protocol (CXP), which is not read; export the document itself (CXF, JSON)"
            )
        }
        var reader = ExchangeJSONReader(bytes)
        guard reader.isAtObject else { throw Self.unknown }
        var top = Frame()
        try readFrame(&top, &reader, isAccount: false)
        try reader.finish()
        guard top.hasAccounts != top.hasItems else { throw Self.unknown }
        if top.hasItems {
            try finish(top, account: 0)
        } else {
            try checkHeader(top.members)
        }
    }

    private static let unknown = KeychainError(
        .unknownFormat, "this is no document of the Credential Exchange Format: it has no accounts")

    /// An object that is read member by member: the document, or an account.
    private struct Frame {
        var members: [ExchangeJSON.Member] = []
        var identifiers: Set<[UInt8]> = []
        var hasItems = false
        var hasAccounts = false
    }

    private mutating func readFrame(
        _ frame: inout Frame, _ reader: inout ExchangeJSONReader, isAccount: Bool
    ) throws(KeychainError) {
        // At the top it isn't known yet whether items or accounts come.
        let account = accounts.count
        if isAccount { accounts.append(Account()) }
        try reader.object { (reader, name) throws(KeychainError) in
            if name == "items" {
                guard isAccount || !frame.hasAccounts else { throw Self.unknown }
                if !isAccount { accounts.append(Account()) }
                frame.hasItems = true
                try readItems(&frame, &reader, account: account)
            } else if name == "accounts", !isAccount {
                guard !frame.hasItems, reader.isAtList else { throw Self.unknown }
                frame.hasAccounts = true
                try reader.list { (reader) throws(KeychainError) in
                    guard reader.isAtObject else { throw reader.failure("an account is no object") }
                    guard accounts.count < Self.mostAccounts else { throw Self.tooLarge }
                    var inner = Frame()
                    let number = accounts.count
                    try readFrame(&inner, &reader, isAccount: true)
                    try finish(inner, account: number)
                }
            } else {
                frame.members.append(ExchangeJSON.Member(name: name, value: try reader.value()))
            }
        }
    }

    private mutating func readItems(
        _ frame: inout Frame, _ reader: inout ExchangeJSONReader, account: Int
    ) throws(KeychainError) {
        try reader.list { (reader) throws(KeychainError) in
            reader.skip()
            let start = reader.position
            let item = try reader.value()
            guard item.members != nil else { throw reader.failure("an item is no object", at: start) }
            guard let identifier = ExchangeRules.identifier(item["id"]) else {
                throw reader.failure("an item has no identifier in Base64url of at most 64 bytes", at: start)
            }
            guard frame.identifiers.insert(identifier).inserted else {
                throw reader.failure("two items of an account have one identifier", at: start)
            }
            guard places.count < Self.mostItems else { throw Self.tooLarge }
            places.append(Place(account: account, range: start..<reader.position))
        }
    }

    static let tooLarge = KeychainError(
        .dataTooLarge,
        "it has more than \(mostItems) items, \(mostAccounts) accounts or \(mostCollections) collections; nothing was added; divide the document"
    )

    private static func refused(_ text: String) -> KeychainError {
        KeychainError(.unsupportedFormat, "the document can't be read: \(text); nothing was added")
    }

    private mutating func checkHeader(_ members: [ExchangeJSON.Member]) throws(KeychainError) {
        let whole = ExchangeJSON.object(members)
        guard let version = whole["version"] else { throw Self.unknown }
        guard let major = version["major"]?.whole else { throw Self.refused("its version is no number") }
        guard major == 1 else {
            throw KeychainError(
                .unsupportedFormat,
                "the document is of version \(major) of the format, and 1 is read; nothing was added")
        }
        // A later minor version only adds members.
        guard let minor = version["minor"]?.whole, (0...255).contains(minor) else {
            throw Self.refused("the minor version is no number from 0 to 255")
        }
        for name in ["exporterRpId", "exporterDisplayName"] {
            guard let text = whole[name] else { continue }
            guard text.text.map(ExchangeRules.isName) == true else { throw Self.refused("\(name) is no name") }
        }
        if let time = whole["timestamp"] {
            guard ExchangeRules.isTime(time) else { throw Self.refused("the timestamp is out of range") }
        }
        let known = ["version", "exporterRpId", "exporterDisplayName", "timestamp"]
        header = members.filter { !known.contains($0.name) }
        var identifiers: Set<[UInt8]> = []
        for account in accounts {
            guard identifiers.insert(ExchangeRules.bytes(base64URL: account.identifier) ?? []).inserted else {
                throw Self.refused("two accounts have one identifier")
            }
        }
    }

    /// Checks an account after its last member, and stores it.
    private mutating func finish(_ frame: Frame, account number: Int) throws(KeychainError) {
        let whole = ExchangeJSON.object(frame.members)
        guard ExchangeRules.identifier(whole["id"]) != nil, let identifier = whole["id"]?.text else {
            throw Self.refused("an account has no identifier in Base64url of at most 64 bytes")
        }
        for name in ["username", "email", "fullName"] {
            guard let text = whole[name], text != .null else { continue }
            guard text.text.map(ExchangeRules.isName) == true else {
                throw Self.refused("an account's \(name) is no name")
            }
        }
        // Padding makes no other account.
        var account = Account(identifier: String(identifier.prefix { $0 != "=" }), members: frame.members)
        if let collections = whole["collections"], collections != .null {
            guard let list = collections.list else { throw Self.refused("an account's collections are no list") }
            var walk = CollectionWalk(account: account.identifier)
            for collection in list { try walk.take(collection, within: "") }
            account.collections = walk.titles
        }
        accounts[number] = account
    }

    /// Checks collections, and notes the titles for each item.
    private struct CollectionWalk {
        let account: String
        var titles: [[UInt8]: [String]] = [:]
        var identifiers: Set<[UInt8]> = []
        var links = 0

        init(account: String) { self.account = account }

        mutating func take(_ collection: ExchangeJSON, within outer: String) throws(KeychainError) {
            guard let identifier = ExchangeRules.identifier(collection["id"]) else {
                throw refused("a collection has no identifier in Base64url of at most 64 bytes")
            }
            // Nothing can be within itself: it would have the identifier a second time.
            guard identifiers.insert(identifier).inserted else {
                throw refused("two collections have one identifier, or one is within itself")
            }
            guard identifiers.count <= mostCollections else { throw tooLarge }
            guard let title = collection["title"]?.text, ExchangeRules.isName(title) else {
                throw refused("a collection's title is missing, or has control characters")
            }
            // Shortened here, as it is repeated for each item.
            let path = outer.isEmpty ? ForeignEntry.shown(title) : ForeignEntry.shown("\(outer)/\(title)")
            for link in try list(collection["items"], "a collection's items are no list") {
                links += 1
                guard links <= mostLinks else { throw tooLarge }
                guard let item = ExchangeRules.identifier(link["item"]) else {
                    throw refused("a collection names an item without an identifier")
                }
                let owner = link["account"]?.text.map { $0.prefix { $0 != "=" } }
                guard owner == nil || owner == account[...], titles[item, default: []].count < mostTitles else {
                    continue
                }
                titles[item, default: []].append(path)
            }
            for inner in try list(collection["subCollections"], "sub-collections are no list") {
                try take(inner, within: path)
            }
        }

        private func list(_ value: ExchangeJSON?, _ otherwise: String) throws(KeychainError) -> [ExchangeJSON] {
            guard let value, value != .null else { return [] }
            guard let list = value.list else { throw refused(otherwise) }
            return list
        }
    }
}

/// The rules for parts of a document.
enum ExchangeRules {
    /// The maximum length of an identifier in bytes.
    private static let longestIdentifier = 64

    /// The bytes of an identifier; nil: it is none.
    static func identifier(_ value: ExchangeJSON?) -> [UInt8]? {
        guard let text = value?.text, text.utf8.count <= 2 * longestIdentifier, let bytes = bytes(base64URL: text),
            (1...longestIdentifier).contains(bytes.count)
        else { return nil }
        return bytes
    }

    /// Decodes Base64url (RFC 4648, section 5). Padding is optional. Nil: the text is something else, or its last
    /// letter has bits that belong to no byte.
    static func bytes(base64URL text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (buffer, bits, padding) = (UInt32(0), 0, 0)
        for letter in text.utf8 {
            let value: UInt8
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = letter - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = letter + 4
            case UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "_"): value = 63
            case UInt8(ascii: "="):
                padding += 1
                continue
            default: return nil
            }
            guard padding == 0 else { return nil }
            buffer = (buffer << 6 | UInt32(value)) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard bits < 6, buffer & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
        guard padding == 0 || (text.utf8.count % 4 == 0 && padding <= 2) else { return nil }
        return bytes
    }

    /// Base64url without padding.
    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Whether a text can be a name: it has no control characters, no line separators and none that change the
    /// direction of the text around them.
    static func isName(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: false
            default: true
            }
        }
    }

    /// Seconds since 1970 of 64 bits. Some programs write a negative number where there is no time.
    static func isTime(_ value: ExchangeJSON) -> Bool { value.whole != nil }

    /// The reason why an item is refused; nil: it keeps the rules.
    static func violation(_ item: ExchangeJSON) -> String? {
        for name in ["title", "subtitle"] {
            guard let text = item[name], text != .null else { continue }
            guard text.text.map(isName) == true else {
                return "its \(name) is no text, or has control characters or marks of direction"
            }
        }
        for name in ["creationAt", "modifiedAt"] {
            guard let time = item[name], time != .null else { continue }
            guard isTime(time) else { return "its \(name) is out of range" }
        }
        if let tags = item["tags"], tags != .null {
            guard tags.list?.allSatisfy({ $0.text.map(isName) == true }) == true else {
                return "its tags are no names"
            }
        }
        if let favorite = item["favorite"], favorite != .null, favorite != .flag(true), favorite != .flag(false) {
            return "its mark as a favourite is neither true nor false"
        }
        if let scope = item["scope"], scope != .null {
            guard scope.members != nil else { return "its scope is no object" }
            if let urls = scope["urls"], urls != .null {
                guard urls.list?.allSatisfy({ $0.text.map(isName) == true }) == true else {
                    return "its addresses are no texts, or have control characters or marks of direction"
                }
            }
        }
        guard let credentials = item["credentials"]?.list else { return "it has no list of credentials" }
        return credentials.lazy.compactMap(violation(credential:)).first
    }

    /// Members that are Base64url, by the kind of credential.
    private static let encoded = [
        "passkey": ["credentialId", "userHandle", "key"], "ssh-key": ["privateKey"], "file": ["id", "integrityHash"],
        "custom-fields": ["id"],
    ]

    private static func violation(credential: ExchangeJSON) -> String? {
        guard let kind = credential["type"]?.text, isName(kind), !kind.isEmpty else {
            return "a credential has no type"
        }
        for name in encoded[kind] ?? [] {
            guard let value = credential[name], value != .null else { continue }
            guard value.text.flatMap(bytes(base64URL:)) != nil else {
                return "\(name) of its \(kind) is not Base64url"
            }
        }
        if kind == "item-reference", identifier(credential["reference"]?["item"]) == nil {
            return "a reference names no item"
        }
        if ["basic-auth", "api-key"].contains(kind), let user = credential["username"]?["value"]?.text, !isName(user) {
            return "its user name has control characters or marks of direction"
        }
        return violation(fields: credential).map { "\($0) of its \(ForeignEntry.shown(kind))" }
    }

    /// Checks editable fields: objects with a type and a value.
    private static func violation(fields value: ExchangeJSON) -> String? {
        switch value {
        case .list(let list): return list.lazy.compactMap(violation(fields:)).first
        case .object(let members):
            if let type = value["fieldType"] {
                guard type.text != nil, value["value"]?.text != nil else {
                    return "a field without a type or a value in text"
                }
                // Some programs write an empty identifier.
                if let own = value["id"], own != .null, own.text != "", identifier(own) == nil {
                    return "a field's identifier"
                }
                if let label = value["label"], label != .null, label.text == nil { return "a field's label" }
            }
            return members.lazy.filter { $0.name != "extensions" }.compactMap { violation(fields: $0.value) }.first
        default: return nil
        }
    }
}
