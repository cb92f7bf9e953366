// SPDX-License-Identifier: Apache-2.0

#if Keychain
package import SwiftASN1

/// The parts of an X.509 certificate (RFC 5280, section 4.1), each kept as its own DER.
///
/// The reader checks the form only: it judges no signature, date or name. Critical parts must be readable: algorithm
/// identifiers, the public key, and each known extension marked critical.
package struct CertificateFields: Sendable, DERParseable {
    /// 1, 2 or 3.
    package let version: Int
    /// The content of the integer: big-endian, two's complement.
    package let serialNumber: [UInt8]
    /// Name, a sequence.
    package let issuer: [UInt8]
    /// Name, a sequence.
    package let subject: [UInt8]
    /// The start and end of validity, in seconds since 2001-01-01 00:00 UTC; nil if a date is invalid.
    package let validity: ClosedRange<Double>?
    /// SubjectPublicKeyInfo, a sequence.
    package let subjectPublicKeyInfo: [UInt8]
    /// The extensions, each its own sequence.
    package let extensions: [[UInt8]]
    /// TBSCertificate, the part that the issuer signed.
    package private(set) var signedPart: ArraySlice<UInt8> = []
    /// The AlgorithmIdentifier inside the signed part, a sequence.
    package let signedAlgorithm: ArraySlice<UInt8>
    /// The AlgorithmIdentifier beside the signature, a sequence.
    package private(set) var signatureAlgorithm: ArraySlice<UInt8> = []
    package private(set) var signature = ASN1BitString(bytes: [])

    /// The most ASN.1 values in a certificate; usual ones have fewer than 200.
    package static let valueLimit = 65_536

    /// The certificate in these bytes; nil if they are not exactly one certificate.
    package init?(der bytes: [UInt8]) {
        guard ASN1Values.areFew(in: bytes[...], limit: Self.valueLimit), let fields = try? Self(derEncoded: bytes)
        else { return nil }
        self = fields
    }

    package init(derEncoded node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            let body = try Self.next(&nodes, .sequence)
            let algorithm = try Self.next(&nodes, .sequence)
            let signature = try ASN1BitString(derEncoded: &nodes)
            var fields = try DER.sequence(body, identifier: .sequence) { try Self(body: &$0) }
            (fields.signedPart, fields.signatureAlgorithm) = (body.encodedBytes, algorithm.encodedBytes)
            for identifier in [fields.signedAlgorithm, fields.signatureAlgorithm] { _ = try Self.algorithm(identifier) }
            _ = try fields.publicKey
            fields.signature = signature
            return fields
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
        serialNumber = try Self.serialNumber(try Self.next(&nodes, .integer))
        signedAlgorithm = try Self.next(&nodes, .sequence).encodedBytes
        issuer = Array(try Self.next(&nodes, .sequence).encodedBytes)
        validity = try Self.validity(try Self.next(&nodes, .sequence))
        subject = Array(try Self.next(&nodes, .sequence).encodedBytes)
        subjectPublicKeyInfo = Array(try Self.next(&nodes, .sequence).encodedBytes)
        for tag: UInt in [1, 2] {
            let _: ASN1BitString? = try DER.optionalImplicitlyTagged(&nodes, tag: .context(tag))
        }
        extensions =
            try DER.optionalExplicitlyTagged(&nodes, tagNumber: 3, tagClass: .contextSpecific) { node in
                try DER.sequence(node, identifier: .sequence) { inner in
                    var found: [[UInt8]] = []
                    while let one = inner.next() {
                        try Extension(derEncoded: one).checkContent()
                        found.append(Array(one.encodedBytes))
                    }
                    guard !found.isEmpty else { throw ReadingError.malformed("a list of no extensions") }
                    return found
                }
            } ?? []
    }

    /// The content unchanged. The integer's own parser drops the leading zero, and refuses negative numbers, which some
    /// issuers assigned. A redundant leading byte is not DER.
    private static func serialNumber(_ node: ASN1Node) throws -> [UInt8] {
        guard case .primitive(let bytes) = node.content, let first = bytes.first else {
            throw ASN1Error.unexpectedFieldType(node.identifier)
        }
        if let second = bytes.dropFirst().first, first == 0 && second < 0x80 || first == 0xFF && second >= 0x80 {
            throw ASN1Error.invalidASN1Object(reason: "a serial number that is longer than it has to be")
        }
        return Array(bytes)
    }

    private static func next(
        _ nodes: inout ASN1NodeCollection.Iterator, _ identifier: ASN1Identifier
    ) throws -> ASN1Node {
        guard let node = nodes.next(), node.identifier == identifier else {
            throw ASN1Error.unexpectedFieldType(identifier)
        }
        return node
    }

    private static func validity(_ node: ASN1Node) throws -> ClosedRange<Double>? {
        try DER.sequence(node, identifier: .sequence) { nodes in
            var dates: [Double?] = []
            for _ in 0..<2 {
                guard let time = nodes.next(), [.utcTime, .generalizedTime].contains(time.identifier) else {
                    throw ASN1Error.invalidASN1Object(reason: "a certificate without its two dates")
                }
                dates.append(try? time.time())
            }
            guard case (let first?, let last?) = (dates[0], dates[1]), first <= last else { return nil }
            return first...last
        }
    }
}
#endif
