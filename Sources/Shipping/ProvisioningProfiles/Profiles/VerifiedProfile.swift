// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A profile that Apple signed. Only ``UnverifiedProfile/verified(at:)`` makes one.
public struct VerifiedProfile: Sendable {
    /// What it says.
    public let profile: ProvisioningProfile
    /// How it was verified.
    public let verification: ProfileVerification

    init(profile: ProvisioningProfile, verification: ProfileVerification) {
        self.profile = profile
        self.verification = verification
    }
}

/// A profile that verified under roots of one's own, not under Apple's. No device takes it.
public struct CustomVerifiedProfile: Sendable {
    /// What it says.
    public let profile: ProvisioningProfile
    /// How it was verified.
    public let verification: ProfileVerification

    init(profile: ProvisioningProfile, verification: ProfileVerification) {
        self.profile = profile
        self.verification = verification
    }
}

/// What verification found.
public struct ProfileVerification: Sendable {
    /// When the profile was signed; the certificates were valid then.
    public let signingTime: Date
    /// The signer's certificate.
    public let signer: Certificate
    /// The authority between signer and root.
    public let authority: Certificate
    /// The pinned root.
    public let root: Certificate
    /// Where SHA-1 was accepted, in words; empty where it was used nowhere.
    public let sha1Uses: [String]
    /// The DER copy, verified and equal to the property list; nil where the profile has none.
    public let derCopy: DERCopy?
}
