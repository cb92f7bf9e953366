// SPDX-License-Identifier: Apache-2.0

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
        Attribute("agrp", .string, every, .primary),
        Attribute("sync", .synchronizable, every, .primary, default: .number(0)),
        Attribute("musr", .uuid, every, [.primary, .automatic, .hiddenFromAdd], default: .data([])),
        Attribute("tkid", .string, every, .primary),
        Attribute("vwht", .string, every, .primary),
        Attribute("ggrp", .string, every, .primary),
        Attribute("labl", .blob, every),
        Attribute("alis", .blob, every),
        Attribute("pdmn", .accessible, every),
        Attribute("accc", .accessControl, every),
        Attribute("cdat", .date, every, .automatic),
        Attribute("mdat", .date, every, .automatic),
        Attribute("tomb", .tombstone, every, [.automatic, .hiddenFromAdd], default: .number(0)),
        Attribute("sha1", .data, every, [.automatic, .ignored]),
        Attribute("sysb", .number, every, .restricted),
        Attribute("pcss", .number, every, .restricted),
        Attribute("pcsk", .data, every, .restricted),
        Attribute("pcsi", .data, every, .restricted),
        Attribute("clip", .number, every, .restricted),
    ]

    private static let passwordRows: [Attribute] = [
        Attribute("acct", .blob, passwords, .primary, default: .text("")),
        Attribute("svce", .blob, genp, .primary, default: .text("")),
        Attribute("gena", .blob, genp),
        Attribute("desc", .blob, passwords),
        Attribute("icmt", .blob, passwords),
        Attribute("prot", .blob, passwords),
        Attribute("crtr", .number, passwords),
        Attribute("type", .number, passwords),
        Attribute("scrp", .number, passwords),
        Attribute("invi", .number, passwords),
        Attribute("nega", .number, passwords),
        Attribute("cusi", .number, passwords),
    ]

    private static let internetRows: [Attribute] = [
        Attribute("sdmn", .blob, inet, .primary, default: .text("")),
        Attribute("srvr", .blob, inet, .primary, default: .text("")),
        Attribute("ptcl", .number, inet, .primary, default: .number(0)),
        Attribute("atyp", .blob, inet, .primary, default: .text("")),
        Attribute("port", .number, inet, .primary, default: .number(0)),
        Attribute("path", .blob, inet, .primary, default: .text("")),
    ]

    private static let certificateRows: [Attribute] = [
        Attribute("ctyp", .number, cert, .primary, default: .number(0)),
        Attribute("issr", .data, cert, .primary, default: .data([])),
        Attribute("slnr", .data, cert, .primary, default: .data([])),
        Attribute("cenc", .number, cert),
        Attribute("subj", .data, cert),
        Attribute("skid", .data, cert),
        Attribute("pkhh", .data, cert),
    ]

    private static let keyRows: [Attribute] = [
        Attribute("kcls", .number, keys, .primary, default: .number(0)),
        Attribute("klbl", .data, keys, .primary, default: .data([])),
        Attribute("atag", .blob, keys, .primary, default: .text("")),
        Attribute("crtr", .number, keys, .primary, default: .number(0)),
        Attribute("type", .number, keys, .primary, default: .number(0)),
        Attribute("bsiz", .number, keys, .primary, default: .number(0)),
        Attribute("esiz", .number, keys, .primary, default: .number(0)),
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
