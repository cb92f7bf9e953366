// SPDX-License-Identifier: Apache-2.0

import KeychainEngine

/// A property of an item, by the name that the command and its JSON use.
package struct ItemField: Hashable, Sendable, CaseIterable {
    /// The text form of a value.
    enum Kind: Sendable {
        case text
        /// A whole number from 0 to 65535.
        case port
        /// Apple's code of four characters, or the scheme of a URL.
        case transport
        /// A name of `Accessibility`.
        case accessibility
        /// `true` or `false`.
        case flag
        /// Bytes that are text.
        case tag
        /// A time in RFC 3339 form.
        case date
    }

    /// The name, `service` for example.
    package let name: String
    let attribute: AttributeName
    let kind: Kind

    private init(_ name: String, attribute: AttributeName, kind: Kind = .text) {
        self.name = name
        self.attribute = attribute
        self.kind = kind
    }

    /// Generic passwords: the service.
    package static let service = Self("service", attribute: .service)
    /// The account.
    package static let account = Self("account", attribute: .account)
    /// Internet passwords: the host name.
    package static let server = Self("server", attribute: .server)
    /// Internet passwords: the port.
    package static let port = Self("port", attribute: .port, kind: .port)
    /// Internet passwords: the protocol, a code of four characters (`htps`). `https` and the like are accepted too.
    package static let transport = Self("protocol", attribute: .transport, kind: .transport)
    /// Internet passwords: the path.
    package static let path = Self("path", attribute: .path)
    /// Internet passwords: the security domain (realm).
    package static let securityDomain = Self("security-domain", attribute: .securityDomain)
    /// Internet passwords: how the account authenticates, a code of four characters (`form`).
    package static let authenticationType = Self("authentication-type", attribute: .authenticationType)
    /// Keys: the app's name for the key.
    package static let tag = Self("tag", attribute: .applicationTag, kind: .tag)
    /// A name for display.
    package static let label = Self("label", attribute: .label)
    /// The kind of the item, for display.
    package static let description = Self("description", attribute: .description)
    /// A comment.
    package static let comment = Self("comment", attribute: .comment)
    /// The access group.
    package static let group = Self("group", attribute: .accessGroup)
    /// When the secret is readable: a name of ``Accessibility``.
    package static let accessible = Self("accessible", attribute: .accessible, kind: .accessibility)
    /// Passwords: the time at which they expire.
    package static let expires = Self("expires", attribute: .endDate, kind: .date)
    /// Whether it may be synchronised between devices.
    package static let synchronizable = Self("synchronizable", attribute: .synchronizable, kind: .flag)

    /// All fields, in the order in which they are shown.
    package static let allCases: [Self] = [
        service, server, account, port, transport, path, securityDomain, authenticationType, tag, label, description,
        comment,
        expires, group, accessible, synchronizable,
    ]

    /// A field by its name, by Apple's code (`svce`) or by the name of the constant (`kSecAttrService`).
    package init?(name: String) {
        let word = name.hasPrefix("kSecAttr") ? ItemClass.dashes(in: String(name.dropFirst("kSecAttr".count))) : name
        let known = Self.allCases.first { $0.name == word || $0.attribute.text == word } ?? Self.byConstant[word]
        guard let known else { return nil }
        self = known
    }

    /// The constants whose names differ from the field's.
    private static let byConstant: [String: Self] = ["access-group": group]

    /// Two fields are equal if their names are.
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
