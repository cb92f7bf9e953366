// SPDX-License-Identifier: Apache-2.0

import Foundation

extension UnverifiedProfile {
    func verification(_ anchors: TrustAnchors, _ now: Date) throws(ProfileError) -> ProfileVerification {
        guard let envelope, let content = envelope.content else {
            throw ProfileError(
                .unsigned, "it is a bare property list without a signature; anybody could have written it")
        }
        let rule = SignatureRule(part: .envelope, anchors: anchors.envelope, path: .anyProfile)
        let signature = try envelope.verify({ $0.digest(of: content) }, rule: rule, now: now)
        try checkPlatform(signature.path)
        let copy = try profile.derCopy.map { (bytes) throws(ProfileError) in
            try DERCopy(bytes, anchors: anchors.derCopy, now: now)
        }
        try copy?.check(against: profile)
        return ProfileVerification(
            signingTime: signature.signingTime, signer: signature.path.signer, authority: signature.path.authority,
            root: signature.path.root, sha1Uses: signature.sha1Uses, derCopy: copy)
    }

    private func checkPlatform(_ path: CertificatePath) throws(ProfileError) {
        guard !profile.platforms.isEmpty else { return }
        let isMac = CertificatePath.Rule.isMacSigner(path.signer, path.authority)
        guard profile.platforms.allSatisfy({ ($0 == .macOS) == isMac }) else {
            throw ProfileError(
                .platform,
                "the signer signs profiles for \(isMac ? "macOS" : "iOS") and the profile is for "
                    + profile.platforms.map(\.displayName).joined(separator: ", "))
        }
    }
}
