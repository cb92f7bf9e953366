// SPDX-License-Identifier: Apache-2.0

import Sealing

/// All attributes of all item classes. Coercion, identity, defaults and indexes derive from it; nothing else lists
/// them.
package struct AttributeTable: Sendable {
    package let itemClass: ItemClass
    private let byName: [AttributeName: Attribute]
    /// In ascending order of the names' bytes: the order in which identity joins them.
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
        }
    }

    private static let genericPassword = AttributeTable(.genericPassword)
    private static let internetPassword = AttributeTable(.internetPassword)
    private static let certificate = AttributeTable(.certificate)
    private static let key = AttributeTable(.key)
    private static let identity = AttributeTable(.identity)

    private init(_ itemClass: ItemClass) {
        self.itemClass = itemClass
        let classes: [ItemClass] = itemClass == .identity ? [.certificate, .key] : [itemClass]
        let rows = Self.rows.filter { row in row.classes.contains { classes.contains($0) } }
        byName = Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
        primary = byName.values.filter { $0.traits.contains(.primary) }
            .sorted { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
        defaults = byName.values.compactMap { row in row.defaultValue.map { (row.name, $0) } }
    }

    /// The attribute of that name, if this class has it.
    package subscript(name: AttributeName) -> Attribute? { byName[name] }

    /// Every attribute of this class, in no particular order.
    package var all: some Collection<Attribute> { byName.values }
}

extension AttributeTable {
    private static let every: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key]
    private static let passwords: [ItemClass] = [.genericPassword, .internetPassword]
    private static let genp: [ItemClass] = [.genericPassword]
    private static let inet: [ItemClass] = [.internetPassword]
    private static let cert: [ItemClass] = [.certificate]
    private static let keys: [ItemClass] = [.key]

    static let rows: [Attribute] = everyClassRows + passwordRows + internetRows + certificateRows + keyRows

    private static let everyClassRows: [Attribute] = [
        Attribute(.accessGroup, .string, every, .primary),
        Attribute(.synchronizable, .synchronizable, every, .primary, default: .number(0)),
        Attribute(.user, .uuid, every, [.primary, .automatic, .hiddenFromAdd], default: .data([])),
        Attribute(.tokenID, .string, every, .primary),
        Attribute(.viewHint, .string, every, .primary),
        Attribute(.sharingGroup, .string, every, .primary),
        Attribute(.label, .blob, every),
        Attribute(.alias, .blob, every),
        Attribute(.accessible, .accessible, every),
        Attribute(.accessControl, .accessControl, every),
        Attribute(.creationDate, .date, every, .automatic),
        Attribute(.modificationDate, .date, every, .automatic),
        Attribute(.tombstone, .tombstone, every, [.automatic, .hiddenFromAdd], default: .number(0)),
        Attribute(.digest, .data, every, [.automatic, .ignored]),
        Attribute("sysb", .number, every, .restricted),
        Attribute("pcss", .number, every, .restricted),
        Attribute("pcsk", .data, every, .restricted),
        Attribute("pcsi", .data, every, .restricted),
        Attribute("clip", .number, every, .restricted),
    ]

    private static let passwordRows: [Attribute] = [
        Attribute(.account, .blob, passwords, .primary, default: .text("")),
        Attribute(.service, .blob, genp, .primary, default: .text("")),
        Attribute(.generic, .blob, genp),
        Attribute(.description, .blob, passwords),
        Attribute(.comment, .blob, passwords),
        Attribute("prot", .blob, passwords),
        Attribute(.creator, .number, passwords),
        Attribute(.type, .number, passwords),
        Attribute("scrp", .number, passwords),
        Attribute(.isInvisible, .number, passwords),
        Attribute(.isNegative, .number, passwords),
        Attribute("cusi", .number, passwords),
    ]

    private static let internetRows: [Attribute] = [
        Attribute(.securityDomain, .blob, inet, .primary, default: .text("")),
        Attribute(.server, .blob, inet, .primary, default: .text("")),
        Attribute(.transport, .number, inet, .primary, default: .number(0)),
        Attribute(.authenticationType, .blob, inet, .primary, default: .text("")),
        Attribute(.port, .number, inet, .primary, default: .number(0)),
        Attribute(.path, .blob, inet, .primary, default: .text("")),
    ]

    private static let certificateRows: [Attribute] = [
        Attribute(.certificateType, .number, cert, .primary, default: .number(0)),
        Attribute(.issuer, .data, cert, .primary, default: .data([])),
        Attribute(.serialNumber, .data, cert, .primary, default: .data([])),
        Attribute(.certificateEncoding, .number, cert),
        Attribute(.subject, .data, cert),
        Attribute(.subjectKeyID, .data, cert),
        Attribute(.publicKeyHash, .data, cert),
    ]

    private static let keyRows: [Attribute] = [
        Attribute(.keyClass, .number, keys, .primary, default: .number(0)),
        Attribute(.applicationLabel, .data, keys, .primary, default: .data([])),
        Attribute(.applicationTag, .blob, keys, .primary, default: .text("")),
        Attribute(.creator, .number, keys, .primary, default: .number(0)),
        Attribute(.type, .number, keys, .primary, default: .number(0)),
        Attribute(.keySize, .number, keys, .primary, default: .number(0)),
        Attribute(.effectiveKeySize, .number, keys, .primary, default: .number(0)),
        Attribute("sdat", .date, keys, .primary, default: .date(0)),
        Attribute("edat", .date, keys, .primary, default: .date(0)),
        Attribute("perm", .number, keys),
        Attribute("priv", .number, keys),
        Attribute("modi", .number, keys),
        Attribute("sens", .number, keys),
        Attribute("asen", .number, keys),
        Attribute("extr", .number, keys),
        Attribute("next", .number, keys),
        Attribute("encr", .number, keys),
        Attribute("decr", .number, keys),
        Attribute("drve", .number, keys),
        Attribute("sign", .number, keys),
        Attribute("vrfy", .number, keys),
        Attribute("snrc", .number, keys),
        Attribute("vyrc", .number, keys),
        Attribute("wrap", .number, keys),
        Attribute("unwp", .number, keys),
    ]
}

extension AttributeTable {
    /// What makes an item unique in its class: the canonical bytes of all primary attributes, an unset one as none.
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

    /// Whether an item with `attributes` meets every condition. An attribute that is not set meets none.
    func matches(_ attributes: Attributes, _ conditions: Attributes) -> Bool {
        conditions.allSatisfy { name, wanted in
            guard let attribute = self[name] else { return false }
            if attribute.traits.contains(.ignored) || attribute.kind == .accessControl { return true }
            guard let value = attributes[name] else { return false }
            return attribute.equal(value, wanted)
        }
    }
}
