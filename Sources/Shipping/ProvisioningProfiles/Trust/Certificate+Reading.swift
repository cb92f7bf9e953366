// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SwiftASN1

extension Certificate {
    /// Larger certificates are refused; Apple's have less than 2 KiB.
    static let maximumSize = 64 << 10

    /// Reads a certificate of version 3 in DER (RFC 5280).
    ///
    /// - Throws: ``ProfileError`` with code `certificate` or `tooLarge`.
    public init(encoded: [UInt8]) throws(ProfileError) {
        guard encoded.count <= Self.maximumSize else {
            throw ProfileError(.tooLarge, "a certificate of \(encoded.count) bytes")
        }
        let node = try BoundedASN1.parse(encoded[...], .der, failingAs: .certificate)
        self = try BoundedASN1.reading(.certificate, what: "a certificate") {
            try DER.sequence(node, identifier: .sequence) { nodes in
                guard let signed = nodes.next() else { throw ProfileError(.certificate, "an empty certificate") }
                let algorithm = try Self.algorithm(&nodes).identifier
                let signature = try ASN1BitString(derEncoded: &nodes)
                guard signature.paddingBits == 0 else { throw ProfileError(.certificate, "a broken signature field") }
                return try Self.read(signed, encoded: encoded, algorithm: algorithm, signature: signature.bytes)
            }
        }
    }

    private static func read(
        _ node: ASN1Node, encoded: [UInt8], algorithm: ASN1ObjectIdentifier, signature: ArraySlice<UInt8>
    ) throws -> Certificate {
        try DER.sequence(node, identifier: .sequence) { nodes in
            let version = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
                try Int(derEncoded: $0)
            }
            guard version == 2 else { throw ProfileError(.certificate, "a certificate of another version than 3") }
            let serialNumber = try ArraySlice<UInt8>(derEncoded: &nodes)
            // RFC 5280, 4.1.2.3: the algorithm inside the signed part must be the one outside.
            guard try Self.algorithm(&nodes).identifier == algorithm else {
                throw ProfileError(.certificate, "a certificate that names two signature algorithms")
            }
            let issuer = try DistinguishedName(nodes.required())
            let validity = try Self.validity(nodes.required())
            let subject = try DistinguishedName(nodes.required())
            let keyInfo = try KeyInfo(nodes.required())
            return Certificate(
                encoded: encoded, fingerprint: DigestAlgorithm.sha256.digest(of: encoded),
                notBefore: validity.0, notAfter: validity.1, serialNumber: Array(serialNumber),
                signed: Array(node.encodedBytes), signatureAlgorithm: algorithm, signature: signature,
                issuer: issuer, subject: subject, keyInfo: keyInfo, extensions: try Self.extensions(&nodes))
        }
    }

    static func algorithm(
        _ nodes: inout ASN1NodeCollection.Iterator
    ) throws -> (identifier: ASN1ObjectIdentifier, parameters: ASN1Node?) {
        try DER.sequence(nodes.required(), identifier: .sequence) { inner in
            let identifier = try ASN1ObjectIdentifier(derEncoded: &inner)
            return (identifier, inner.next())
        }
    }

    private static func validity(_ node: ASN1Node) throws -> (Date, Date) {
        try DER.sequence(node, identifier: .sequence) { nodes in
            (try ASN1Time.date(nodes.required()), try ASN1Time.date(nodes.required()))
        }
    }

    private static func extensions(
        _ nodes: inout ASN1NodeCollection.Iterator
    ) throws -> [ASN1ObjectIdentifier: Extension] {
        var extensions: [ASN1ObjectIdentifier: Extension] = [:]
        while let node = nodes.next() {
            guard node.isContext(3) else { continue }  // unique identifiers of RFC 5280's older form
            for list in try node.children(failingAs: .certificate) {
                for entry in try list.children(failingAs: .certificate) {
                    let (identifier, value) = try Self.oneExtension(entry)
                    guard extensions.updateValue(value, forKey: identifier) == nil else {
                        throw ProfileError(.certificate, "a certificate with an extension that stands twice")
                    }
                }
            }
        }
        return extensions
    }

    private static func oneExtension(_ node: ASN1Node) throws -> (ASN1ObjectIdentifier, Extension) {
        try DER.sequence(node, identifier: .sequence) { nodes in
            let identifier = try ASN1ObjectIdentifier(derEncoded: &nodes)
            let isCritical = try DER.decodeDefault(&nodes, defaultValue: false)
            let value = try ASN1OctetString(derEncoded: &nodes)
            return (identifier, Extension(isCritical: isCritical, value: value.bytes))
        }
    }
}

extension Certificate.KeyInfo {
    init(_ node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            let (algorithm, parameters) = try Certificate.algorithm(&nodes)
            let curve =
                algorithm == OID.ecPublicKey ? try parameters.map { try ASN1ObjectIdentifier(derEncoded: $0) } : nil
            let key = try ASN1BitString(derEncoded: &nodes)
            return Self(algorithm: algorithm, curve: curve, key: key.bytes, encoded: Array(node.encodedBytes))
        }
    }
}

extension ASN1NodeCollection.Iterator {
    /// The next node, which must be there.
    mutating func required() throws -> ASN1Node {
        guard let node = next() else { throw ProfileError(.certificate, "a field is missing") }
        return node
    }
}

/// UTCTime and GeneralizedTime as RFC 5280 and RFC 5652 use them.
enum ASN1Time {
    static func date(_ node: ASN1Node) throws -> Date {
        let seconds: Double?
        if node.identifier == .utcTime {
            let time = try UTCTime(derEncoded: node)
            seconds =
                CalendarTime(
                    year: time.year, month: time.month, day: time.day, hour: time.hours, minute: time.minutes,
                    second: time.seconds
                ).seconds
        } else {
            let time = try GeneralizedTime(derEncoded: node)
            seconds =
                CalendarTime(
                    year: time.year, month: time.month, day: time.day, hour: time.hours, minute: time.minutes,
                    second: time.seconds
                ).seconds
        }
        guard let seconds else { throw ProfileError(.envelope, "a time that can't be read") }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}
