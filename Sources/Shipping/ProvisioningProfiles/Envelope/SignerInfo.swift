// SPDX-License-Identifier: Apache-2.0

import Readers
import SwiftASN1

/// The one signer of an envelope (RFC 5652, 5.3).
struct SignerInfo: Sendable {
    enum Identifier: Sendable {
        case issuerAndSerialNumber(DistinguishedName, [UInt8])
        case subjectKeyIdentifier([UInt8])
    }

    let identifier: Identifier
    let digestAlgorithm: ASN1ObjectIdentifier
    let attributes: SignedAttributes
    let signatureAlgorithm: ASN1ObjectIdentifier
    let signature: [UInt8]

    init(_ node: ASN1Node) throws(ProfileError) {
        let fields = try node.children(failingAs: .envelope)
        guard fields.count >= 5 else {
            throw ProfileError(
                .signedAttributes, "a signer without signed attributes; profiles and apps always have them")
        }
        identifier = try Self.identifier(fields[1])
        digestAlgorithm = try Self.algorithm(fields[2])
        guard fields[3].isContext(0) else {
            throw ProfileError(
                .signedAttributes, "a signer without signed attributes; profiles and apps always have them")
        }
        attributes = try SignedAttributes(fields[3])
        signatureAlgorithm = try Self.algorithm(fields[4])
        guard fields.count >= 6 else { throw ProfileError(.envelope, "a signer without a signature") }
        signature = try BoundedASN1.reading(.envelope, what: "the signature") {
            Array(try ASN1OctetString(berEncoded: fields[5]).bytes)
        }
    }

    private static func identifier(_ node: ASN1Node) throws(ProfileError) -> Identifier {
        if node.isContext(0) {
            return .subjectKeyIdentifier(Array(try node.primitive(failingAs: .envelope)))
        }
        let fields = try node.children(failingAs: .envelope)
        guard fields.count == 2, fields[1].identifier == .integer else {
            throw ProfileError(.envelope, "a signer that is not named by issuer and serial number")
        }
        let serial = try BoundedASN1.reading(.envelope, what: "a serial number") {
            try ArraySlice<UInt8>(berEncoded: fields[1])
        }
        let issuer = try BoundedASN1.reading(.envelope, what: "an issuer's name") { try DistinguishedName(fields[0]) }
        return .issuerAndSerialNumber(issuer, Array(serial))
    }

    static func algorithm(_ node: ASN1Node) throws(ProfileError) -> ASN1ObjectIdentifier {
        guard let first = try node.children(failingAs: .envelope).first else {
            throw ProfileError(.envelope, "an algorithm without an identifier")
        }
        return try SignedData.identifier(first)
    }

    /// The certificate that this signer names.
    func certificate(among certificates: [Certificate]) throws(ProfileError) -> Certificate {
        let found = certificates.first { certificate in
            switch identifier {
            case .issuerAndSerialNumber(let issuer, let serial):
                certificate.issuer == issuer && certificate.serialNumber == serial
            case .subjectKeyIdentifier(let identifier):
                certificate.fields.subjectKeyIdentifier == identifier
            }
        }
        guard let found else { throw ProfileError(.chainIncomplete, "the signer's certificate is not in the file") }
        return found
    }
}
