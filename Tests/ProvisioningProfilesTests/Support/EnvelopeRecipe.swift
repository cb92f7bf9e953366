// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ProvisioningProfiles
import SwiftASN1
import Testing

/// A CMS envelope made value by value, for forms and faults that openssl can't be asked for.
struct EnvelopeRecipe {
    static let dataType: [UInt] = [1, 2, 840, 113_549, 1, 7, 1]
    static let contentType: [UInt] = [1, 2, 840, 113_549, 1, 9, 3]
    static let messageDigest: [UInt] = [1, 2, 840, 113_549, 1, 9, 4]
    static let signingTime: [UInt] = [1, 2, 840, 113_549, 1, 9, 5]
    static let algorithmProtection: [UInt] = [1, 2, 840, 113_549, 1, 9, 52]
    static let sha256: [UInt] = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let ecdsaWithSHA256: [UInt] = [1, 2, 840, 10_045, 4, 3, 2]

    var content: [UInt8]
    var isDetached = false
    /// A test certificate with a P-256 key.
    var signer = "phone-ec"
    var chain = ["phone-authority"]
    var signingTime: Date? = .now
    /// Changes the attributes, each given as its whole DER value, before they are signed.
    var changeAttributes: (inout [[UInt8]]) -> Void = { _ in }
    var digestAlgorithm = Self.sha256
    var signatureAlgorithm = Self.ecdsaWithSHA256
    /// Changes the signature after it was made.
    var changeSignature: (inout [UInt8]) -> Void = { _ in }

    static func attribute(_ type: [UInt], _ values: [UInt8]...) -> [UInt8] {
        DERWriter.sequence(DERWriter.identifier(type), DERWriter.set(values))
    }

    func bytes() throws -> [UInt8] {
        let certificates = try ([signer] + chain).map(TestAuthority.certificate)
        let key = try P256.Signing.PrivateKey(pemRepresentation: TestAuthority.key(signer))
        var attributes = [
            Self.attribute(Self.contentType, DERWriter.identifier(Self.dataType)),
            Self.attribute(Self.messageDigest, DERWriter.octets(Array(SHA256.hash(data: content)))),
        ]
        if let signingTime { attributes.append(Self.attribute(Self.signingTime, DERWriter.time(signingTime))) }
        changeAttributes(&attributes)
        let signed = DERWriter.set(attributes)
        var signature = Array(try key.signature(for: SHA256.hash(data: signed)).derRepresentation)
        changeSignature(&signature)
        let info = DERWriter.sequence(
            DERWriter.integer(1), try Self.issuerAndSerial(certificates[0]), DERWriter.algorithm(digestAlgorithm),
            [0xA0] + signed.dropFirst(), DERWriter.sequence(DERWriter.identifier(signatureAlgorithm)),
            DERWriter.octets(signature))
        let type = DERWriter.identifier(Self.dataType)
        let encapsulated =
            isDetached
            ? DERWriter.sequence(type)
            : DERWriter.sequence(type, DERWriter.value(0xA0, DERWriter.octets(content)))
        let data = DERWriter.sequence(
            DERWriter.integer(1), DERWriter.set([DERWriter.algorithm(digestAlgorithm)]), encapsulated,
            DERWriter.value(0xA0, certificates.flatMap(\.self)), DERWriter.set([info]))
        return DERWriter.sequence(
            DERWriter.identifier([1, 2, 840, 113_549, 1, 7, 2]), DERWriter.value(0xA0, data))
    }

    private static func issuerAndSerial(_ certificate: [UInt8]) throws -> [UInt8] {
        let outer = try children(DER.parse(certificate))
        let fields = try children(try #require(outer.first))
        return DERWriter.sequence(Array(fields[3].encodedBytes), Array(fields[1].encodedBytes))
    }

    private static func children(_ node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { return [] }
        return Array(nodes)
    }
}
