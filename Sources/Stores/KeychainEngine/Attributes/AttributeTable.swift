// SPDX-License-Identifier: Apache-2.0

import Sealing

/// All attributes of all item classes, the only list of them. Coercion, identity, defaults and indexes derive from it.
package final class AttributeTable: Sendable {
    package let itemClass: ItemClass
    /// Every attribute of this class, each once.
    package let all: [Attribute]
    /// The names of `all`, in its order. A linear search costs less than hashing one name.
    private let names: [AttributeName]
    /// Ascending by the bytes of the names, the order in which identity joins them.
    let primary: [Attribute]
    let defaults: [(AttributeName, AttributeValue)]

    /// The table of one item class. An identity has the attributes of certificates and of keys.
    package static func of(_ itemClass: ItemClass) -> AttributeTable {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key: key
        case .identity: identity
        case .syncRecord: syncRecord
        }
    }

    private static let genericPassword = AttributeTable(.genericPassword)
    private static let internetPassword = AttributeTable(.internetPassword)
    private static let certificate = AttributeTable(.certificate)
    private static let key = AttributeTable(.key)
    private static let identity = AttributeTable(.identity)
    private static let syncRecord = AttributeTable(.syncRecord)

    private init(_ itemClass: ItemClass) {
        self.itemClass = itemClass
        let classes: [ItemClass] = itemClass == .identity ? [.certificate, .key] : [itemClass]
        let rows = Self.rows.filter { row in row.classes.contains { classes.contains($0) } }
        all = rows.indices.filter { row in !rows[..<row].contains { $0.name == rows[row].name } }.map { rows[$0] }
        names = all.map(\.name)
        primary = all.filter { $0.traits.contains(.primary) }.sorted { $0.name.precedes($1.name) }
        defaults = all.compactMap { row in row.defaultValue.map { (row.name, $0) } }
    }

    /// The attribute of that name, if this class has it.
    package subscript(name: AttributeName) -> Attribute? { names.firstIndex(of: name).map { all[$0] } }
}

extension AttributeTable {
    private static let every: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key]
    private static let passwords: [ItemClass] = [.genericPassword, .internetPassword]
    private static let genp: [ItemClass] = [.genericPassword]
    private static let inet: [ItemClass] = [.internetPassword]
    private static let cert: [ItemClass] = [.certificate]
    private static let keys: [ItemClass] = [.key]

    static let rows: [Attribute] = everyClassRows + passwordRows + internetRows + certificateRows + keyRows + recordRows

    private static let everyClassRows: [Attribute] = [
        Attribute(.accessGroup, kind: .string, classes: every, traits: .primary),
        Attribute(.synchronizable, kind: .synchronizable, classes: every, traits: .primary, default: .number(0)),
        Attribute(
            .user, kind: .uuid, classes: every, traits: [.primary, .automatic, .hiddenFromAdd], default: .data([])),
        Attribute(.tokenID, kind: .string, classes: every, traits: .primary),
        Attribute(.viewHint, kind: .string, classes: every, traits: .primary),
        Attribute(.sharingGroup, kind: .string, classes: every, traits: .primary),
        Attribute(.label, kind: .blob, classes: every),
        Attribute(.alias, kind: .blob, classes: every),
        Attribute(.accessible, kind: .accessible, classes: every),
        Attribute(.accessControl, kind: .accessControl, classes: every),
        Attribute(.creationDate, kind: .date, classes: every, traits: .automatic),
        Attribute(.modificationDate, kind: .date, classes: every, traits: .automatic),
        Attribute(
            .tombstone, kind: .tombstone, classes: every, traits: [.automatic, .hiddenFromAdd], default: .number(0)),
        Attribute(.digest, kind: .data, classes: every, traits: [.automatic, .ignored]),
        Attribute("sysb", kind: .number, classes: every, traits: .restricted),
        Attribute("pcss", kind: .number, classes: every, traits: .restricted),
        Attribute("pcsk", kind: .data, classes: every, traits: .restricted),
        Attribute("pcsi", kind: .data, classes: every, traits: .restricted),
        Attribute("clip", kind: .number, classes: every, traits: .restricted),
    ]

    private static let passwordRows: [Attribute] = [
        Attribute(.account, kind: .blob, classes: passwords, traits: .primary, default: .text("")),
        Attribute(.service, kind: .blob, classes: genp, traits: .primary, default: .text("")),
        Attribute(.generic, kind: .blob, classes: genp),
        Attribute(.description, kind: .blob, classes: passwords),
        Attribute(.comment, kind: .blob, classes: passwords),
        Attribute("prot", kind: .blob, classes: passwords),
        Attribute(.creator, kind: .number, classes: passwords),
        Attribute(.type, kind: .number, classes: passwords),
        Attribute("scrp", kind: .number, classes: passwords),
        Attribute(.isInvisible, kind: .number, classes: passwords),
        Attribute(.isNegative, kind: .number, classes: passwords),
        Attribute("cusi", kind: .number, classes: passwords),
        Attribute(.endDate, kind: .date, classes: passwords),
    ]

    private static let internetRows: [Attribute] = [
        Attribute(.securityDomain, kind: .blob, classes: inet, traits: .primary, default: .text("")),
        Attribute(.server, kind: .blob, classes: inet, traits: .primary, default: .text("")),
        Attribute(.transport, kind: .number, classes: inet, traits: .primary, default: .number(0)),
        Attribute(.authenticationType, kind: .blob, classes: inet, traits: .primary, default: .text("")),
        Attribute(.port, kind: .number, classes: inet, traits: .primary, default: .number(0)),
        Attribute(.path, kind: .blob, classes: inet, traits: .primary, default: .text("")),
    ]

    private static let certificateRows: [Attribute] = [
        Attribute(.certificateType, kind: .number, classes: cert, traits: .primary, default: .number(0)),
        Attribute(.issuer, kind: .data, classes: cert, traits: .primary, default: .data([])),
        Attribute(.serialNumber, kind: .data, classes: cert, traits: .primary, default: .data([])),
        Attribute(.certificateEncoding, kind: .number, classes: cert),
        Attribute(.subject, kind: .data, classes: cert),
        Attribute(.subjectKeyID, kind: .data, classes: cert),
        Attribute(.publicKeyHash, kind: .data, classes: cert),
    ]

    private static let keyRows: [Attribute] = [
        Attribute(.keyClass, kind: .number, classes: keys, traits: .primary, default: .number(0)),
        Attribute(.applicationLabel, kind: .data, classes: keys, traits: .primary, default: .data([])),
        Attribute(.applicationTag, kind: .blob, classes: keys, traits: .primary, default: .text("")),
        Attribute(.creator, kind: .number, classes: keys, traits: .primary, default: .number(0)),
        Attribute(.type, kind: .number, classes: keys, traits: .primary, default: .number(0)),
        Attribute(.keySize, kind: .number, classes: keys, traits: .primary, default: .number(0)),
        Attribute(.effectiveKeySize, kind: .number, classes: keys, traits: .primary, default: .number(0)),
        Attribute("sdat", kind: .date, classes: keys, traits: .primary, default: .date(0)),
        Attribute(.endDate, kind: .date, classes: keys, traits: .primary, default: .date(0)),
        Attribute(.tokenObject, kind: .data, classes: keys),
        Attribute("perm", kind: .number, classes: keys),
        Attribute("priv", kind: .number, classes: keys),
        Attribute("modi", kind: .number, classes: keys),
        Attribute("sens", kind: .number, classes: keys),
        Attribute("asen", kind: .number, classes: keys),
        Attribute("extr", kind: .number, classes: keys),
        Attribute("next", kind: .number, classes: keys),
        Attribute("encr", kind: .number, classes: keys),
        Attribute("decr", kind: .number, classes: keys),
        Attribute("drve", kind: .number, classes: keys),
        Attribute("sign", kind: .number, classes: keys),
        Attribute("vrfy", kind: .number, classes: keys),
        Attribute("snrc", kind: .number, classes: keys),
        Attribute("vyrc", kind: .number, classes: keys),
        Attribute("wrap", kind: .number, classes: keys),
        Attribute("unwp", kind: .number, classes: keys),
    ]
}

extension AttributeTable {
    private static let recordRows: [Attribute] = [
        Attribute(.recordName, kind: .string, classes: [.syncRecord], traits: .primary),
        Attribute(.accessible, kind: .accessible, classes: [.syncRecord]),
    ]

    /// The bytes that make an item unique in its class: the canonical bytes of all primary attributes, with nothing for
    /// an unset one.
    func identityBytes(of attributes: Attributes) -> [UInt8] {
        var writer = ByteWriter()
        for attribute in primary {
            writer.prefixed(attributes[attribute.name].map { attribute.canonicalBytes(of: $0) } ?? [])
        }
        return writer.bytes
    }

    /// The canonical bytes of an index's attributes; nil if one of them is not set.
    func indexBytes(of attributes: Attributes, _ index: ItemIndex) -> [UInt8]? {
        var writer = ByteWriter()
        for name in index.attributes {
            guard let value = attributes[name], let attribute = self[name] else { return nil }
            writer.prefixed(attribute.canonicalBytes(of: value))
        }
        return writer.bytes
    }

    /// Whether an item with `attributes` meets every condition. An unset attribute meets none.
    func matches(_ attributes: Attributes, _ conditions: Attributes) -> Bool {
        conditions.allSatisfy { name, wanted in
            guard let attribute = self[name] else { return false }
            if attribute.traits.contains(.ignored) || attribute.kind == .accessControl { return true }
            guard let value = attributes[name] else { return false }
            return attribute.equal(value, wanted)
        }
    }
}
