// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The verified `DER-Encoded-Profile`: a second copy of the profile, signed with SHA-256 or better.
public struct DERCopy: Sendable {
    /// `ProfileDistributionType`, which only the copy has: for example, `STORE` or `ADHOC`.
    public let distributionType: String?
    /// When the copy was signed.
    public let signingTime: Date

    let values: [String: PropertyList]

    private static let ownKey = "DER-Encoded-Profile"
    private static let distributionKey = "ProfileDistributionType"
    private static let certificatesKey = "DeveloperCertificates"

    init(_ bytes: [UInt8], anchors: [TrustAnchor], now: Date) throws(ProfileError) {
        do throws(ProfileError) {
            let envelope = try SignedData(bytes)
            guard envelope.contentType == OID.data, let content = envelope.content else {
                throw ProfileError(.envelope, "the DER copy's envelope holds no content")
            }
            let rule = SignatureRule(part: .derCopy, anchors: anchors, path: .derCopy)
            signingTime = try envelope.verify({ $0.digest(of: content) }, rule: rule, now: now).signingTime
            guard case .dictionary(let values) = try DERValue.read(content, failingAs: .envelope) else {
                throw ProfileError(.envelope, "the DER copy is not a dictionary")
            }
            self.values = values
            distributionType = values[Self.distributionKey]?.string
        } catch {
            throw error.at(.derCopy)
        }
    }

    /// Every key must have the same value in both; the copy contains certificates as SHA-256 hashes.
    func check(against profile: ProvisioningProfile) throws(ProfileError) {
        var expected = profile.values
        expected[Self.ownKey] = nil
        if expected[Self.certificatesKey] != nil {
            expected[Self.certificatesKey] = .array(
                profile.developerCertificates.map { .data($0.fingerprint) })
        }
        var copied = values
        copied[Self.distributionKey] = nil
        for key in Set(expected.keys).union(copied.keys).sorted() where expected[key] != copied[key] {
            throw ProfileError(
                .derCopyDisagrees, "the property list and its DER copy do not say the same of the key \(key)",
                part: .derCopy)
        }
    }
}
