// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SwiftASN1

/// The attributes that the signature covers (RFC 5652, 5.3 and 11). Each type may occur once, with one value, except
/// Apple's set of code directory hashes.
struct SignedAttributes: Sendable {
    /// The signed bytes: the attributes in DER under the tag of a SET (RFC 5652, 5.4).
    let signedBytes: [UInt8]
    let contentType: ASN1ObjectIdentifier
    let messageDigest: [UInt8]
    let signingTime: Date?
    /// The algorithms as the signed attribute of RFC 6211 repeats them: digest and signature.
    let protectedAlgorithms: (digest: ASN1ObjectIdentifier, signature: ASN1ObjectIdentifier)?
    /// Apple's property list of truncated code directory hashes.
    let codeDirectoryHashList: [UInt8]?
    /// Apple's full code directory hashes by algorithm.
    let codeDirectoryHashes: [(digest: ASN1ObjectIdentifier, hash: [UInt8])]

    init(_ node: ASN1Node) throws(ProfileError) {
        signedBytes = try Self.derEncoded(node)
        var values: [ASN1ObjectIdentifier: [ASN1Node]] = [:]
        for attribute in try node.children(failingAs: .signedAttributes) {
            let fields = try attribute.children(failingAs: .signedAttributes)
            guard fields.count == 2, fields[1].identifier == .set else {
                throw ProfileError(.signedAttributes, "a signed attribute that can't be read")
            }
            let type = try SignedData.identifier(fields[0])
            let set = try fields[1].children(failingAs: .signedAttributes)
            guard values.updateValue(set, forKey: type) == nil else {
                throw ProfileError(.signedAttributes, "a duplicate signed attribute")
            }
        }
        contentType = try Self.one(values, type: OID.contentType, name: "content type") {
            try ASN1ObjectIdentifier(berEncoded: $0)
        }
        messageDigest = try Self.one(values, type: OID.messageDigest, name: "message digest") {
            Array(try ASN1OctetString(berEncoded: $0).bytes)
        }
        signingTime =
            values[OID.signingTime] == nil
            ? nil : try Self.one(values, type: OID.signingTime, name: "signing time") { try $0.date() }
        protectedAlgorithms =
            values[OID.algorithmProtection] == nil
            ? nil : try Self.one(values, type: OID.algorithmProtection, name: "algorithm protection", Self.protection)
        codeDirectoryHashList =
            values[OID.codeDirectoryHashList] == nil
            ? nil
            : try Self.one(values, type: OID.codeDirectoryHashList, name: "list of code directory hashes") {
                Array(try ASN1OctetString(berEncoded: $0).bytes)
            }
        codeDirectoryHashes = try (values[OID.codeDirectoryHashes] ?? []).map(Self.codeDirectoryHash)
    }

    private static func one<Value>(
        _ values: [ASN1ObjectIdentifier: [ASN1Node]], type: ASN1ObjectIdentifier, name: String,
        _ read: (ASN1Node) throws -> Value
    ) throws(ProfileError) -> Value {
        guard let set = values[type], set.count == 1, let node = set.first else {
            throw ProfileError(.signedAttributes, "the signed attribute \"\(name)\" is missing or has several values")
        }
        return try BoundedASN1.reading(.signedAttributes, what: "the signed attribute \"\(name)\"") { try read(node) }
    }

    /// The attributes must be DER even inside BER (RFC 5652, 5.3); other encodings of them are refused.
    private static func derEncoded(_ node: ASN1Node) throws(ProfileError) -> [UInt8] {
        var bytes = Array(node.encodedBytes)
        guard !bytes.isEmpty else { throw ProfileError(.signedAttributes, "signed attributes that can't be read") }
        bytes[0] = 0x31
        _ = try BoundedASN1.parse(bytes[...], .der, failingAs: .signedAttributes)
        return bytes
    }

    /// SEQUENCE { digestAlgorithm, [1] signatureAlgorithm }
    private static func protection(
        _ node: ASN1Node
    ) throws -> (digest: ASN1ObjectIdentifier, signature: ASN1ObjectIdentifier) {
        let fields = try node.children(failingAs: .signedAttributes)
        guard fields.count == 2, fields[1].isContext(1) else {
            throw ProfileError(.signedAttributes, "an algorithm protection that can't be read")
        }
        return (try SignerInfo.algorithm(fields[0]), try SignerInfo.algorithm(fields[1]))
    }

    /// SEQUENCE { digestAlgorithm OBJECT IDENTIFIER, hash OCTET STRING }
    private static func codeDirectoryHash(
        _ node: ASN1Node
    ) throws(ProfileError) -> (digest: ASN1ObjectIdentifier, hash: [UInt8]) {
        try BoundedASN1.reading(.signedAttributes, what: "a code directory hash") {
            try BER.sequence(node, identifier: .sequence) { nodes in
                (try ASN1ObjectIdentifier(berEncoded: &nodes), Array(try ASN1OctetString(berEncoded: &nodes).bytes))
            }
        }
    }
}
