// SPDX-License-Identifier: Apache-2.0

#if Keychain
package import SwiftASN1

extension CertificateFields {
    /// One extension (RFC 5280, 4.1.2.9).
    package struct Extension: Sendable, DERParseable {
        package let type: ASN1ObjectIdentifier
        package let isCritical: Bool
        /// Its content, in DER.
        package let value: ArraySlice<UInt8>

        package init(derEncoded node: ASN1Node) throws {
            (type, isCritical, value) = try DER.sequence(node, identifier: .sequence) { nodes in
                (
                    try ASN1ObjectIdentifier(derEncoded: &nodes), try CertificateFields.boolean(&nodes),
                    try ASN1OctetString(derEncoded: &nodes).bytes
                )
            }
        }
    }

    /// A Boolean that defaults to false. DER omits a false value, but issuers write it anyway.
    fileprivate static func boolean(_ nodes: inout ASN1NodeCollection.Iterator) throws -> Bool {
        var rest = nodes
        guard let node = rest.next(), node.identifier == .boolean else { return false }
        nodes = rest
        return try Bool(derEncoded: node)
    }
}

// MARK: The content of known extensions

extension CertificateFields.Extension {
    /// Refuses a known, critical extension that doesn't have the form of its standard (RFC 5280, 4.2; RFC 3739,
    /// 3.2.6 for qualified certificate statements): a critical extension must be understood. Other extensions may
    /// have any content.
    func checkContent() throws {
        guard isCritical, let check = Self.forms[type] else { return }
        try check(DER.parse(value))
    }

    private static let forms: [ASN1ObjectIdentifier: @Sendable (ASN1Node) throws -> Void] = [
        .subjectKeyIdentifier: { _ = try ASN1OctetString(derEncoded: $0) },
        [2, 5, 29, 15]: keyUsage,
        .subjectAlternativeName: generalNames,
        [2, 5, 29, 18]: generalNames,
        [2, 5, 29, 19]: basicConstraints,
        [2, 5, 29, 30]: nameConstraints,
        [2, 5, 29, 31]: distributionPoints,
        [2, 5, 29, 32]: policies,
        [2, 5, 29, 33]: { try each($0) { try objectIdentifiers(parts($0, 2...2)) } },
        [2, 5, 29, 35]: authorityKeyIdentifier,
        [2, 5, 29, 36]: policyConstraints,
        [2, 5, 29, 37]: { try each($0) { _ = try ASN1ObjectIdentifier(derEncoded: $0) } },
        [2, 5, 29, 46]: distributionPoints,
        [2, 5, 29, 54]: { try natural($0, .integer) },
        [1, 3, 6, 1, 5, 5, 7, 1, 1]: accessDescriptions,
        [1, 3, 6, 1, 5, 5, 7, 1, 3]: qualifiedStatements,
        [1, 3, 6, 1, 5, 5, 7, 1, 11]: accessDescriptions,
    ]

    /// SEQUENCE SIZE (1..MAX) OF, or an implicit context tag in its place.
    private static func each(
        _ node: ASN1Node, _ identifier: ASN1Identifier = .sequence, _ body: (ASN1Node) throws -> Void
    ) throws {
        let parts = try node.parts()
        guard node.identifier == identifier, !parts.isEmpty else { throw refused }
        for part in parts { try body(part) }
    }

    /// A SEQUENCE of optional parts, each under its own context tag, in the order of their tag numbers.
    private static func optionalParts(_ node: ASN1Node, upTo last: UInt) throws -> [UInt: ASN1Node] {
        guard node.identifier == .sequence else { throw refused }
        var found: [UInt: ASN1Node] = [:]
        var next: UInt = 0
        for part in try node.parts() {
            let number = part.identifier.tagNumber
            guard part.isContext(number), number >= next, number <= last else { throw refused }
            found[number] = part
            next = number + 1
        }
        return found
    }

    /// A SEQUENCE whose number of parts is in `count`.
    private static func parts(_ node: ASN1Node, _ count: ClosedRange<Int>) throws -> [ASN1Node] {
        guard node.identifier == .sequence else { throw refused }
        return try node.parts(count)
    }

    private static func keyUsage(_ node: ASN1Node) throws {
        guard CertificateFields.bits(ofKeyUsage: node.encodedBytes) != nil else { throw refused }
    }

    private static func basicConstraints(_ node: ASN1Node) throws {
        try DER.sequence(node, identifier: .sequence) { nodes in
            _ = try CertificateFields.boolean(&nodes)
            if let length = nodes.next() { try natural(length, .integer) }
        }
    }

    private static func nameConstraints(_ node: ASN1Node) throws {
        for (number, subtrees) in try optionalParts(node, upTo: 1) {
            try each(subtrees, .context(number)) { subtree in
                // 4.2.1.10: the minimum distance is 0, and there is no maximum.
                let parts = try parts(subtree, 1...2)
                try generalName(parts[0])
                if parts.count == 2 {
                    let least = try Int(derEncoded: parts[1], withIdentifier: .context(0))
                    guard least == 0 else { throw refused }
                }
            }
        }
    }

    private static func distributionPoints(_ node: ASN1Node) throws {
        try each(node) { point in
            let parts = try optionalParts(point, upTo: 2)
            guard parts[0] != nil || parts[2] != nil else { throw refused }
            if let name = try parts[0]?.parts(1...1)[0] {
                // The full name, or a name relative to the issuer's.
                if name.isContext(0) {
                    try each(name, .context(0)) { try generalName($0) }
                } else if !name.isContext(1) {
                    throw refused
                }
            }
            if let issuer = parts[2] { try each(issuer, .context(2)) { try generalName($0) } }
        }
    }

    private static func policies(_ node: ASN1Node) throws {
        try each(node) { policy in
            let parts = try parts(policy, 1...2)
            try objectIdentifiers(parts.prefix(1))
            if parts.count == 2 { try each(parts[1]) { _ = try $0.parts() } }
        }
    }

    private static func authorityKeyIdentifier(_ node: ASN1Node) throws {
        let parts = try optionalParts(node, upTo: 2)
        // Issuer and serial number identify a certificate only together.
        guard (parts[1] == nil) == (parts[2] == nil) else { throw refused }
        if let issuer = parts[1] { try each(issuer, .context(1)) { try generalName($0) } }
    }

    private static func policyConstraints(_ node: ASN1Node) throws {
        for (number, count) in try optionalParts(node, upTo: 1) { try natural(count, .context(number)) }
    }

    private static func accessDescriptions(_ node: ASN1Node) throws {
        try each(node) { description in
            let parts = try parts(description, 2...2)
            try objectIdentifiers(parts.prefix(1))
            try generalName(parts[1])
        }
    }

    private static func qualifiedStatements(_ node: ASN1Node) throws {
        try each(node) { statement in
            try objectIdentifiers(parts(statement, 1...2).prefix(1))
        }
    }

    private static func generalNames(_ node: ASN1Node) throws { try each(node) { try generalName($0) } }

    /// 4.2.1.6: one of nine kinds.
    private static func generalName(_ node: ASN1Node) throws {
        guard node.identifier.tagClass == .contextSpecific, node.identifier.tagNumber <= 8 else { throw refused }
    }

    private static func objectIdentifiers(_ nodes: some Sequence<ASN1Node>) throws {
        for node in nodes { _ = try ASN1ObjectIdentifier(derEncoded: node) }
    }

    /// INTEGER (0..MAX).
    private static func natural(_ node: ASN1Node, _ identifier: ASN1Identifier) throws {
        guard try Int(derEncoded: node, withIdentifier: identifier) >= 0 else { throw refused }
    }

    private static var refused: ReadingError { .malformed("a critical extension of another form than its own") }
}
#endif
