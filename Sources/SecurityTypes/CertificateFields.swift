// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
package import SwiftASN1

/// The parts of an X.509 certificate (RFC 5280, section 4.1) that a keychain needs; every part is kept as its own DER.
///
/// The reader checks the shape, not the meaning: no signature, date or name is judged.
package struct CertificateFields: Sendable, DERParseable {
    /// 1, 2 or 3.
    package let version: Int
    /// The integer's content: big-endian, two's complement.
    package let serialNumber: [UInt8]
    /// Name, a sequence.
    package let issuer: [UInt8]
    /// Name, a sequence.
    package let subject: [UInt8]
    /// SubjectPublicKeyInfo, a sequence.
    package let subjectPublicKeyInfo: [UInt8]
    /// Each extension, a sequence of its own.
    package let extensions: [[UInt8]]

    package init(derEncoded node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            let body = try Self.next(&nodes, .sequence)
            _ = try Self.next(&nodes, .sequence)
            _ = try ASN1BitString(derEncoded: &nodes)
            return try DER.sequence(body, identifier: .sequence) { try Self(body: &$0) }
        }
    }

    private init(body nodes: inout ASN1NodeCollection.Iterator) throws {
        let encoded = try DER.decodeDefaultExplicitlyTagged(
            &nodes, tagNumber: 0, tagClass: .contextSpecific, defaultValue: Int(0)
        ) { try Int(derEncoded: $0) }
        guard (0...2).contains(encoded) else {
            throw ASN1Error.invalidASN1Object(reason: "unknown version of a certificate")
        }
        version = encoded + 1
        serialNumber = Array(try ArraySlice<UInt8>(derEncoded: &nodes))
        _ = try Self.next(&nodes, .sequence)
        issuer = Array(try Self.next(&nodes, .sequence).encodedBytes)
        try Self.checkValidity(try Self.next(&nodes, .sequence))
        subject = Array(try Self.next(&nodes, .sequence).encodedBytes)
        subjectPublicKeyInfo = Array(try Self.next(&nodes, .sequence).encodedBytes)
        for tag: UInt in [1, 2] {
            let _: ASN1BitString? = try DER.optionalImplicitlyTagged(
                &nodes, tag: .init(tagWithNumber: tag, tagClass: .contextSpecific)
            )
        }
        extensions =
            try DER.optionalExplicitlyTagged(&nodes, tagNumber: 3, tagClass: .contextSpecific) { node in
                try DER.sequence(node, identifier: .sequence) { inner in
                    var found: [[UInt8]] = []
                    while let one = inner.next() { found.append(Array(one.encodedBytes)) }
                    return found
                }
            } ?? []
    }

    private static func next(
        _ nodes: inout ASN1NodeCollection.Iterator, _ identifier: ASN1Identifier
    ) throws -> ASN1Node {
        guard let node = nodes.next(), node.identifier == identifier else {
            throw ASN1Error.unexpectedFieldType(identifier)
        }
        return node
    }

    private static func checkValidity(_ node: ASN1Node) throws {
        try DER.sequence(node, identifier: .sequence) { nodes in
            for _ in 0..<2 {
                guard let time = nodes.next(), [.utcTime, .generalizedTime].contains(time.identifier) else {
                    throw ASN1Error.invalidASN1Object(reason: "a certificate without its two dates")
                }
            }
        }
    }
}
#endif
