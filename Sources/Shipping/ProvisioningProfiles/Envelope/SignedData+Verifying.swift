// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The result of verifying an envelope.
struct VerifiedSignature: Sendable {
    let path: CertificatePath
    let signingTime: Date
    /// Where SHA-1 was used, in words.
    let sha1Uses: [String]
}

/// The requirements for one kind of envelope.
struct SignatureRule: Sendable {
    let part: ProfileError.Part
    let anchors: [TrustAnchor]
    let path: CertificatePath.Rule
    /// The date to use without a signing time; nil: the envelope is refused.
    var timeWithoutAttribute: Date?
}

extension SignedData {
    /// The maximum difference between clocks.
    static let clockTolerance: TimeInterval = 300

    /// Verifies digest, attributes, signature and chain, in this order, so that changed content is named as such.
    ///
    /// - Parameter contentDigest: the digest of what was signed: of the envelope's own content, or of a detached one.
    func verify(
        _ contentDigest: (DigestAlgorithm) -> [UInt8], rule: SignatureRule, now: Date
    ) throws(ProfileError) -> VerifiedSignature {
        do throws(ProfileError) {
            let signer = try signer.get()
            let digest = try signer.checkedDigest(allowsSHA1: rule.path.allowsSHA1)
            let attributes = signer.attributes
            try signer.checkAlgorithmProtection()
            guard attributes.contentType == contentType else {
                throw ProfileError(.signedAttributes, "the signed content type is not that of the envelope")
            }
            guard attributes.messageDigest == contentDigest(digest) else {
                throw ProfileError(
                    .contentDigest,
                    "the content does not have the content digest that was signed; it was changed afterwards")
            }
            let certificate = try signer.certificate(among: certificates)
            try signer.checkSignature(by: certificate, digest)
            let time = try signer.signingTime(rule, now)
            let path = try CertificatePath(
                of: certificate, among: certificates, anchors: rule.anchors, at: time, rule: rule.path)
            guard digest != .sha1 || path.allowsSHA1 else {
                throw ProfileError(.algorithm, "SHA-1 is not accepted under this root")
            }
            let own = digest == .sha1 ? ["content digest and signature"] : []
            let chain = path.sha1Subjects.map { "certificate \"\($0)\"" }
            return VerifiedSignature(path: path, signingTime: time, sha1Uses: own + chain)
        } catch {
            throw error.at(rule.part)
        }
    }
}

extension SignerInfo {
    fileprivate func checkedDigest(allowsSHA1: Bool) throws(ProfileError) -> DigestAlgorithm {
        guard let digest = DigestAlgorithm(digestAlgorithm) else {
            throw ProfileError(.algorithm, "the digest algorithm \(digestAlgorithm) is not accepted")
        }
        guard digest != .sha1 || allowsSHA1 else { throw ProfileError(.algorithm, "SHA-1 is not accepted here") }
        return digest
    }

    fileprivate func checkAlgorithmProtection() throws(ProfileError) {
        guard let protected = attributes.protectedAlgorithms else { return }
        guard protected.digest == digestAlgorithm, protected.signature == signatureAlgorithm else {
            throw ProfileError(.signedAttributes, "the algorithms are not those that the signer protected")
        }
    }

    fileprivate func checkSignature(by certificate: Certificate, _ digest: DigestAlgorithm) throws(ProfileError) {
        let algorithm = try SignatureAlgorithm(signatureAlgorithm)
        guard algorithm.digest == nil || algorithm.digest == digest else {
            throw ProfileError(.algorithm, "digest and signature algorithm do not belong together")
        }
        let isValid = try PublicKey(of: certificate).isValid(
            signature[...], over: attributes.signedBytes, scheme: algorithm.scheme, digest: digest)
        guard isValid else {
            throw ProfileError(.signature, "the signature was not made by the key of the certificate it names")
        }
    }

    fileprivate func signingTime(_ rule: SignatureRule, _ now: Date) throws(ProfileError) -> Date {
        guard let time = attributes.signingTime ?? rule.timeWithoutAttribute else {
            throw ProfileError(
                .signingTimeMissing, "no signing time: it is not known whether the certificates were valid")
        }
        guard time <= now + SignedData.clockTolerance else {
            throw ProfileError(.signingTimeInFuture, "the signing time lies in the future")
        }
        return time
    }
}
