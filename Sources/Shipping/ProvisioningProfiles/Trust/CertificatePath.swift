// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SwiftASN1

/// A verified chain of exactly three certificates. Apple issues every signer of profiles and code this way:
/// signer, one authority, pinned root.
struct CertificatePath: Sendable {
    let signer: Certificate
    let authority: Certificate
    let root: Certificate
    /// Whether rule and root both accept SHA-1.
    let allowsSHA1: Bool

    /// The requirements for a signer.
    struct Rule: Sendable {
        /// Critical extensions of the signer that are understood, besides those of RFC 5280 checked here.
        var understood: Set<ASN1ObjectIdentifier> = []
        var allowsSHA1 = false
        /// Whether these two are Apple's for this purpose. The error's message names the expected ones.
        let accepts: @Sendable (_ signer: Certificate, _ authority: Certificate) -> Bool
        let expected: String
    }

    /// The maximum number of certificates in an envelope: each may cost a signature check.
    static let maximumCertificates = 32

    /// Finds and verifies the chain of `signer`.
    ///
    /// - Parameters:
    ///   - certificates: those in the envelope. Self-issued ones are ignored: a root inside a file proves nothing.
    ///   - date: the signing time; all three must be valid then.
    init(
        of signer: Certificate, among certificates: [Certificate], anchors: [TrustAnchor], at date: Date, rule: Rule
    ) throws(ProfileError) {
        let (authority, anchor, root) = try Self.authority(of: signer, certificates, anchors)
        (self.signer, self.authority, self.root) = (signer, authority, root)
        allowsSHA1 = rule.allowsSHA1 && anchor.allowsSHA1
        try checkAlgorithms()
        try checkValidity(at: date)
        guard rule.accepts(signer, authority) else {
            throw ProfileError(
                .wrongSigner,
                "the certificate chain is genuine, but its signer does not sign this; expected \(rule.expected)")
        }
        try checkRules(understood: rule.understood)
    }

    /// SHA-1 signatures in the chain, by subject.
    var sha1Subjects: [String] {
        [signer, authority].filter { (try? SignatureAlgorithm($0.signatureAlgorithm))?.digest == .sha1 }
            .map { $0.commonName ?? "a certificate without a name" }
    }
}

// MARK: - Finding

extension CertificatePath {
    private typealias Found = (authority: Certificate, anchor: TrustAnchor, root: Certificate)

    private static func authority(
        of signer: Certificate, _ certificates: [Certificate], _ anchors: [TrustAnchor]
    ) throws(ProfileError) -> Found {
        var failure = ProfileError(.chainIncomplete, "the certificate of the signer's issuer is not in the file")
        _ = try SignatureAlgorithm(signer.signatureAlgorithm)
        for authority in certificates where authority.subject == signer.issuer && authority.issuer != authority.subject
        {
            guard authority.hasSigned(signer) else {
                failure = ProfileError(.chainIncomplete, "no certificate in the file signed the signer's certificate")
                continue
            }
            for anchor in anchors {
                guard let root = anchor.certificate, root.subject == authority.issuer else { continue }
                if root.hasSigned(authority) { return (authority, anchor, root) }
            }
            failure = ProfileError(
                .wrongRoot, "the chain does not end at a pinned root; a root inside the file is ignored")
        }
        if anchors.contains(where: { $0.certificate?.subject == signer.issuer }) || signer.issuer == signer.subject {
            failure = ProfileError(
                .wrongRoot, "the signer's certificate does not chain to a pinned root by one authority")
        }
        throw failure
    }
}

// MARK: - Checks of RFC 5280, 6.1, for a path of three

extension CertificatePath {
    private func checkAlgorithms() throws(ProfileError) {
        guard allowsSHA1 || sha1Subjects.isEmpty else {
            throw ProfileError(.algorithm, "a certificate of the chain is signed with SHA-1")
        }
    }

    private func checkValidity(at date: Date) throws(ProfileError) {
        for (name, certificate) in [("signer", signer), ("authority", authority), ("root", root)]
        where !certificate.isValid(at: date) {
            throw ProfileError(
                .certificateNotValidThen,
                "at the signing time, \(date.dayText), the \(name)'s certificate was not valid")
        }
    }

    private func checkRules(understood: Set<ASN1ObjectIdentifier>) throws(ProfileError) {
        let known: Set = [OID.keyUsage, OID.basicConstraints, OID.certificatePolicies, OID.extendedKeyUsage]
        for certificate in [signer, authority] {
            let allowed = certificate == signer ? known.union(understood) : known
            for (identifier, value) in certificate.extensions where value.isCritical && !allowed.contains(identifier) {
                throw ProfileError(.certificateRules, "a certificate has an unknown critical extension, \(identifier)")
            }
        }
        guard try authority.isAuthority, try authority.mayDo(.certificateSigning) else {
            throw ProfileError(.certificateRules, "the signer's issuer is not a certificate authority")
        }
        guard try !signer.isAuthority, try signer.mayDo(.digitalSignature) else {
            throw ProfileError(.certificateRules, "the signer's certificate is not for signatures")
        }
    }
}

extension Certificate {
    enum KeyUsage: Int {
        case digitalSignature = 0
        case certificateSigning = 5
    }

    /// Whether this key signed `other`. Also false for keys and algorithms that are not accepted.
    func hasSigned(_ other: Certificate) -> Bool {
        guard let algorithm = try? SignatureAlgorithm(other.signatureAlgorithm), let digest = algorithm.digest,
            let key = try? PublicKey(of: self)
        else { return false }
        return key.isValid(
            other.fields.signature.bytes, over: Array(other.fields.signedPart), scheme: algorithm.scheme, digest: digest
        )
    }

    /// The CA flag of the basic constraints. A path length constraint can't be exceeded: only a signer follows.
    var isAuthority: Bool {
        get throws(ProfileError) {
            guard let value = extensions[OID.basicConstraints]?.value else { return false }
            let node = try BoundedASN1.parse(value, .der, failingAs: .certificate)
            return try BoundedASN1.reading(.certificate, what: "basic constraints") {
                try DER.sequence(node, identifier: .sequence) { nodes in
                    let flag = try DER.decodeDefault(&nodes, defaultValue: false)
                    _ = nodes.next()
                    return flag
                }
            }
        }
    }

    /// Whether the key usage extension exists and allows `usage`.
    func mayDo(_ usage: KeyUsage) throws(ProfileError) -> Bool {
        guard let value = extensions[OID.keyUsage]?.value else { return false }
        let node = try BoundedASN1.parse(value, .der, failingAs: .certificate)
        let bits = try BoundedASN1.reading(.certificate, what: "key usage") {
            try ASN1BitString(derEncoded: node).bytes
        }
        guard let first = bits.first else { return false }
        return first & (0x80 >> UInt8(usage.rawValue)) != 0
    }

    /// The purposes of the extended key usage; empty without it.
    var extendedUsages: Set<ASN1ObjectIdentifier> {
        get throws(ProfileError) {
            guard let value = extensions[OID.extendedKeyUsage]?.value else { return [] }
            let node = try BoundedASN1.parse(value, .der, failingAs: .certificate)
            return try BoundedASN1.reading(.certificate, what: "extended key usage") {
                Set(try DER.sequence(of: ASN1ObjectIdentifier.self, identifier: .sequence, rootNode: node))
            }
        }
    }
}
