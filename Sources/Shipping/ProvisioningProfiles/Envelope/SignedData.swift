// SPDX-License-Identifier: Apache-2.0

import Readers
import SwiftASN1

/// A CMS SignedData structure (RFC 5652, 5) with one signer, in BER or DER. Reading it verifies nothing.
struct SignedData: Sendable {
    /// The content; nil if it is detached, as in code signatures.
    let content: [UInt8]?
    let contentType: ASN1ObjectIdentifier
    /// The certificates in the order of the file. Other choices than plain certificates are left out.
    let certificates: [Certificate]
    /// The one signer, or why none can be verified: the content can still be shown.
    let signer: Result<SignerInfo, ProfileError>

    /// Envelopes above this are refused; real profiles have some 10 to 300 KiB.
    static let maximumSize = 1 << 20

    init(_ bytes: [UInt8]) throws(ProfileError) {
        guard bytes.count <= Self.maximumSize else {
            throw ProfileError(.tooLarge, "an envelope of \(bytes.count) bytes; the limit is \(Self.maximumSize)")
        }
        let root = try BoundedASN1.parse(bytes[...], .ber, failingAs: .envelope)
        let fields = try Self.signedDataFields(root)
        guard fields.count >= 4 else { throw ProfileError(.envelope, "a signed envelope with missing fields") }
        (contentType, content) = try Self.encapsulated(fields[2])
        guard let signers = fields.last, signers.identifier == .set else {
            throw ProfileError(.envelope, "a signed envelope without a list of signers")
        }
        certificates = try Self.certificates(fields.first { $0.isContext(0) })
        let infos = try signers.children(failingAs: .envelope)
        signer = Result { () throws(ProfileError) in
            guard infos.count == 1, let info = infos.first else {
                throw ProfileError(.signerCount, "exactly one signer is expected, \(infos.count) are there")
            }
            return try SignerInfo(info)
        }
    }

    /// ContentInfo { contentType, [0] content } and the fields of the SignedData in it.
    private static func signedDataFields(_ root: ASN1Node) throws(ProfileError) -> [ASN1Node] {
        let info = root.identifier == .sequence ? try root.children(failingAs: .envelope) : []
        let type = try info.first.map { (node) throws(ProfileError) in try identifier(node) }
        guard type == OID.signedData, info.count == 2, info[1].isContext(0) else {
            throw ProfileError(.envelope, "it is not a CMS envelope with signed data")
        }
        let inner = try info[1].children(failingAs: .envelope)
        guard inner.count == 1, inner[0].identifier == .sequence else {
            throw ProfileError(.envelope, "it is not a CMS envelope with signed data")
        }
        return try inner[0].children(failingAs: .envelope)
    }

    /// EncapsulatedContentInfo { eContentType, [0] eContent OPTIONAL }
    private static func encapsulated(
        _ node: ASN1Node
    ) throws(ProfileError) -> (ASN1ObjectIdentifier, [UInt8]?) {
        let fields = try node.children(failingAs: .envelope)
        guard let first = fields.first, fields.count <= 2 else {
            throw ProfileError(.envelope, "an envelope without a content type")
        }
        let type = try identifier(first)
        guard fields.count == 2 else { return (type, nil) }
        let inner = fields[1].isContext(0) ? try fields[1].children(failingAs: .envelope) : []
        guard inner.count == 1 else { throw ProfileError(.envelope, "the envelope's content can't be read") }
        let content = try BoundedASN1.reading(.envelope, what: "the envelope's content") {
            try ASN1OctetString(berEncoded: inner[0])
        }
        return (type, Array(content.bytes))
    }

    private static func certificates(_ node: ASN1Node?) throws(ProfileError) -> [Certificate] {
        guard let node else { return [] }
        let choices = try node.children(failingAs: .envelope).filter { $0.identifier == .sequence }
        guard choices.count <= CertificatePath.maximumCertificates else {
            throw ProfileError(.tooLarge, "an envelope with \(choices.count) certificates")
        }
        var certificates: [Certificate] = []
        for choice in choices { certificates.append(try Certificate(encoded: Array(choice.encodedBytes))) }
        return certificates
    }

    static func identifier(_ node: ASN1Node) throws(ProfileError) -> ASN1ObjectIdentifier {
        try BoundedASN1.reading(.envelope, what: "an object identifier") { try ASN1ObjectIdentifier(berEncoded: node) }
    }
}
