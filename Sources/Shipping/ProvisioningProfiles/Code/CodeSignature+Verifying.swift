// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1

/// The signer of code, after verification of the envelope over its code directories. This doesn't cover hashes of pages
/// and resources.
public enum CodeSigner: Sendable {
    /// A certificate that Apple issued.
    case apple(Certificate, signingTime: Date?)
    /// A certificate under custom roots.
    case custom(Certificate, signingTime: Date?)
    /// None: an ad hoc signature, which devices refuse.
    case adHoc
    /// The envelope does not verify.
    case invalid(ProfileError)

    /// The signer's certificate, if it verified.
    public var certificate: Certificate? {
        switch self {
        case .apple(let certificate, _), .custom(let certificate, _): certificate
        case .adHoc, .invalid: nil
        }
    }
}

extension CodeSignature {
    /// Verifies the envelope over the code directories under Apple's roots, then under `anchor` if given.
    public func signer(anchor: CustomAnchor? = nil, at now: Date = Date()) -> CodeSigner {
        guard let envelope, !envelope.isEmpty else { return .adHoc }
        do throws(ProfileError) {
            let path = try verify(envelope, anchors: .apple, now: now)
            return .apple(path.signer, signingTime: path.time)
        } catch {
            guard let anchor else { return .invalid(error) }
            return customSigner(envelope, anchor: anchor, now: now)
        }
    }

    private func customSigner(_ envelope: [UInt8], anchor: CustomAnchor, now: Date) -> CodeSigner {
        do throws(ProfileError) {
            let path = try verify(envelope, anchors: anchor.anchors, now: now)
            return .custom(path.signer, signingTime: path.time)
        } catch {
            return .invalid(error)
        }
    }

    private func verify(
        _ envelope: [UInt8], anchors: TrustAnchors, now: Date
    ) throws(ProfileError) -> (signer: Certificate, time: Date?) {
        do throws(ProfileError) {
            let signed = try SignedData(envelope)
            guard signed.content == nil, let primary = directories.first else {
                throw ProfileError(.envelope, "a code signature's envelope with content of its own")
            }
            let rule = SignatureRule(
                part: .code, anchors: anchors.code, path: .codeSigner, timeWithoutAttribute: now)
            let verified = try signed.verify({ primary.digests[$0] ?? [] }, rule: rule, now: now)
            let attributes = try signed.signer.get().attributes
            try checkAlternates(attributes)
            return (verified.path.signer, attributes.signingTime)
        } catch {
            throw error.at(.code)
        }
    }

    /// The envelope signs the primary directory. Alternates count only if its signed attributes list them.
    private func checkAlternates(_ attributes: SignedAttributes) throws(ProfileError) {
        let listed = try attributes.codeDirectoryHashList.map { (bytes) throws(ProfileError) in
            try PropertyList(bytes: bytes).dictionary?["cdhashes"]?.array?.compactMap(\.data) ?? []
        }
        for directory in directories.dropFirst() {
            let isListed =
                listed?.contains(directory.truncatedHash) ?? false
                || attributes.codeDirectoryHashes.contains {
                    DigestAlgorithm($0.digest) == directory.hashType.digest
                        && $0.hash == directory.digests[directory.hashType.digest]
                }
            guard isListed else {
                throw ProfileError(.codeSignature, "a code directory that the signer did not sign")
            }
        }
    }
}

extension CertificatePath.Rule {
    /// A developer's certificate for signing code.
    static let codeSigner = Self(
        understood: OID.developerUses,
        accepts: { signer, _ in
            ((try? signer.extendedUsages) ?? []).contains(OID.codeSigningUsage)
                && [.development, .distribution, .developerID].contains(signer.kind)
        },
        expected: "a developer's certificate for signing code")
}
