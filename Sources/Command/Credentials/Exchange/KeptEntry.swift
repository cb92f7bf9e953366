// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
import Keychains
import SecretMemory

/// An entry of an exchange document as the keychain keeps it, for an export: a generic password of a group of its own,
/// whose secret is JSON (Documentation/Formats/KeptEntry.md). Secrets that became items are not in it.
package struct KeptEntry: Sendable {
    /// The access group of these items. Nothing asks for them by name, and `zamok ls` doesn't list them.
    package static let group = "cxf"
    static let version: Int64 = 1
    static let service = "cxf"
    /// The maximum length of the JSON in bytes.
    static let largest = 16 << 20

    /// A secret that is in an item of its own.
    struct Link: Equatable, Sendable {
        /// The index of the credential.
        let credential: Int
        /// The names of the items that have the secret, each a class and the fields of its identity.
        let names: [LinkedName]
        /// The comment that the import gave them.
        let comment: String
    }

    /// The identifier of the account.
    let account: String
    /// The item, or the account without its items.
    var content: ExchangeJSON
    let isItem: Bool
    var links: [Link] = []
    /// Unknown members of the document's header, with an account.
    var header: [ExchangeJSON.Member] = []

    /// The item of the keychain. Errors: `.dataTooLarge`; `.parameter`.
    func record() throws -> ItemRecord {
        var members: [ExchangeJSON.Member] = [
            .init(name: "version", value: .number("\(Self.version)")), .init(name: "account", value: .text(account)),
            .init(name: isItem ? "item" : "frame", value: content),
        ]
        if !links.isEmpty { members.append(.init(name: "links", value: .list(links.map(\.json)))) }
        if !header.isEmpty { members.append(.init(name: "header", value: .object(header))) }
        var bytes = ExchangeJSON.object(members).bytes
        defer { for index in bytes.indices { bytes[index] = 0 } }
        guard bytes.count <= Self.largest else {
            throw KeychainError(.dataTooLarge, "it is larger than \(Self.largest >> 20) MiB")
        }
        var record = ItemRecord(.genericPassword)
        let identifier = isItem ? content["id"]?.text ?? "" : ""
        try record.set(.service, identifier.isEmpty ? Self.service : "\(Self.service)/\(identifier)")
        try record.set(.account, account)
        try record.set(.group, Self.group)
        if let title = content["title"]?.text, isItem, !title.isEmpty {
            try record.set(.label, ForeignEntry.shown(title))
        }
        try record.set(.description, "exchange entry")
        record.secret = try Secret(copying: bytes)
        return record
    }

    /// Whether an item of the keychain is one of these.
    package static func isOne(_ record: ItemRecord) -> Bool {
        guard record.itemClass == .genericPassword, record[.group] == group, let name = record[.service] else {
            return false
        }
        return name == service || name.hasPrefix("\(service)/")
    }

    init(account: String, content: ExchangeJSON, isItem: Bool, links: [Link] = [], header: [ExchangeJSON.Member] = []) {
        (self.account, self.content, self.isItem, self.links, self.header) = (account, content, isItem, links, header)
    }

    /// Reads the secret of such an item. Errors: `.damaged`; `.unsupportedFormat` for a later version.
    init(_ secret: Secret) throws {
        let damaged = KeychainError(.damaged, "an entry that is kept for an exchange is damaged")
        var bytes = try [UInt8](exposing: secret)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        guard let whole = try? ExchangeJSONReader.value(bytes), let version = whole["version"]?.whole else {
            throw damaged
        }
        guard version == Self.version else {
            throw KeychainError(
                .unsupportedFormat, "an entry that is kept for an exchange was written by a later version of zamok")
        }
        guard let account = whole["account"]?.text, ExchangeRules.identifier(.text(account)) != nil,
            let content = whole["item"] ?? whole["frame"], content.members != nil
        else { throw damaged }
        self.account = account
        self.content = content
        isItem = whole["item"] != nil
        header = whole["header"]?.members ?? []
        links = try (whole["links"]?.list ?? []).map {
            guard let link = Link($0) else { throw damaged }
            return link
        }
    }
}

/// The name of an item of the keychain: the class, and the fields of its identity without group and synchronizability.
struct LinkedName: Hashable, Sendable {
    private static let fields: [ItemField] = [
        .service, .server, .account, .transport, .port, .path, .securityDomain, .authenticationType,
    ]
    private static let publicHalf = "public-key-hash"

    let itemClass: ItemClass
    /// Names and values of the fields that aren't empty, as bytes: two texts of one look differ.
    let values: [[UInt8]]

    init(_ record: ItemRecord) {
        itemClass = record.itemClass
        let pairs: [(String, String?)] =
            record.itemClass == .key
            ? record.details.filter { $0.name == Self.publicHalf }.map { ($0.name, $0.value) }
            : Self.fields.map { ($0.name, record[$0]) }
        values = pairs.flatMap { name, value in
            value.flatMap { $0.isEmpty ? nil : [Array(name.utf8), Array($0.utf8)] } ?? []
        }
    }

    var json: ExchangeJSON {
        .object(
            [.init(name: "class", value: .text(itemClass.name))]
                + stride(from: 0, to: values.count - 1, by: 2).map {
                    .init(
                        name: String(decoding: values[$0], as: UTF8.self),
                        value: .text(String(decoding: values[$0 + 1], as: UTF8.self)))
                })
    }

    init?(_ json: ExchangeJSON) {
        guard let members = json.members, let itemClass = json["class"]?.text.flatMap(ItemClass.named) else {
            return nil
        }
        self.itemClass = itemClass
        var values: [[UInt8]] = []
        for member in members where member.name != "class" {
            guard let text = member.value.text else { return nil }
            values += [Array(member.name.utf8), Array(text.utf8)]
        }
        self.values = values
    }
}

extension KeptEntry.Link {
    fileprivate var json: ExchangeJSON {
        var members: [ExchangeJSON.Member] = [
            .init(name: "credential", value: .number("\(credential)")),
            .init(name: "items", value: .list(names.map(\.json))),
        ]
        if !comment.isEmpty { members.append(.init(name: "comment", value: .text(comment))) }
        return .object(members)
    }

    fileprivate init?(_ json: ExchangeJSON) {
        guard let credential = json["credential"]?.whole, (0...1_000_000).contains(credential),
            let names = json["items"]?.list
        else { return nil }
        self.credential = Int(credential)
        self.names = names.compactMap(LinkedName.init)
        guard self.names.count == names.count else { return nil }
        comment = json["comment"]?.text ?? ""
    }
}

/// The place of the secret in each kind of credential that becomes an item.
enum CredentialKind: String {
    case basicAuth = "basic-auth"
    case oneTimeCode = "totp"
    case note
    case sshKey = "ssh-key"
    case apiKey = "api-key"
    case wifi
    case generatedPassword = "generated-password"

    /// The member with the secret, and whether it is an editable field.
    private var place: (member: String, isField: Bool) {
        switch self {
        case .basicAuth: ("password", true)
        case .oneTimeCode: ("secret", false)
        case .note: ("content", true)
        case .sshKey: ("privateKey", false)
        case .apiKey: ("key", true)
        case .wifi: ("passphrase", true)
        case .generatedPassword: ("password", false)
        }
    }

    /// The secret of a credential; nil: it has none.
    func secret(of credential: ExchangeJSON) -> String? {
        let (member, isField) = place
        let text = isField ? credential[member]?["value"]?.text : credential[member]?.text
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Puts a secret into a credential that has the place.
    func put(_ secret: ExchangeJSON, into credential: inout ExchangeJSON) {
        let (member, isField) = place
        guard isField else {
            credential[member] = secret
            return
        }
        var field = credential[member] ?? .object([])
        field["value"] = secret
        credential[member] = field
    }
}
