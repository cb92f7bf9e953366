// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A profile that was read but not verified: its author is unknown, and it may have been changed.
public struct UnverifiedProfile: Sendable {
    /// The profile's content.
    public let profile: ProvisioningProfile

    let envelope: SignedData?

    /// Larger files are refused: 1 MiB.
    public static let maximumSize = SignedData.maximumSize

    /// Whether it has an envelope with a signature. A bare property list has none and never verifies.
    public var isSigned: Bool { envelope != nil }

    /// Reads a `.mobileprovision` or `.provisionprofile`: a CMS envelope in DER or BER, or a bare property list.
    ///
    /// - Throws: ``ProfileError`` with a reading code.
    public init(bytes: [UInt8]) throws(ProfileError) {
        guard bytes.count <= Self.maximumSize else {
            throw ProfileError(.tooLarge, "a profile of \(bytes.count) bytes; the limit is \(Self.maximumSize)")
        }
        // An envelope begins with a SEQUENCE. XML begins differently, and profiles have no other form.
        guard bytes.first == 0x30 else {
            envelope = nil
            profile = try ProvisioningProfile(PropertyList(xml: bytes))
            return
        }
        let signed = try SignedData(bytes)
        guard signed.contentType == OID.data, let content = signed.content else {
            throw ProfileError(.envelope, "the envelope holds no property list")
        }
        envelope = signed
        profile = try ProvisioningProfile(PropertyList(xml: content))
    }

    /// Reads the file at `path`.
    ///
    /// - Throws: ``ProfileError`` with code `io` or another reading code.
    public init(contentsOf path: String) throws(ProfileError) {
        let file = try FileBytes(path)
        guard file.size <= UInt64(Self.maximumSize) else {
            throw ProfileError(.tooLarge, "a profile of \(file.size) bytes; the limit is \(Self.maximumSize)")
        }
        try self.init(bytes: file.read(at: 0, count: Int(file.size)))
    }

    /// Verifies under Apple's two pinned roots, offline: content digest, signed attributes, signature, chain at the
    /// signing time, the signer of the profile's platform, and the DER copy if there is one.
    ///
    /// An expired profile, or one whose signer has expired since, still verifies: the signing time counts.
    ///
    /// - Parameter now: the time that decides what is "in the future".
    /// - Throws: ``ProfileError`` with a verifying code; `unsigned` for a bare property list.
    public func verified(at now: Date = Date()) throws(ProfileError) -> VerifiedProfile {
        VerifiedProfile(profile: profile, verification: try verification(.apple, now))
    }

    /// Verifies like ``verified(at:)`` under custom roots. The result has another type.
    ///
    /// - Throws: as ``verified(at:)``.
    public func verified(
        under anchor: CustomAnchor, at now: Date = Date()
    ) throws(ProfileError) -> CustomVerifiedProfile {
        CustomVerifiedProfile(profile: profile, verification: try verification(anchor.anchors, now))
    }
}

extension UnverifiedProfile {
    func verification(_ anchors: TrustAnchors, _ now: Date) throws(ProfileError) -> ProfileVerification {
        guard let envelope, let content = envelope.content else {
            throw ProfileError(
                .unsigned, "it is a bare property list without a signature; anyone could have written it")
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

/// A profile that Apple signed. Only ``UnverifiedProfile/verified(at:)`` makes one.
public struct VerifiedProfile: Sendable {
    /// The profile's content.
    public let profile: ProvisioningProfile
    /// How it was verified.
    public let verification: ProfileVerification

    init(profile: ProvisioningProfile, verification: ProfileVerification) {
        self.profile = profile
        self.verification = verification
    }
}

/// A profile that verified under custom roots, not under Apple's. No device accepts it.
public struct CustomVerifiedProfile: Sendable {
    /// The profile's content.
    public let profile: ProvisioningProfile
    /// How it was verified.
    public let verification: ProfileVerification

    init(profile: ProvisioningProfile, verification: ProfileVerification) {
        self.profile = profile
        self.verification = verification
    }
}

/// The result of verification.
public struct ProfileVerification: Sendable {
    /// When the profile was signed; the certificates were valid then.
    public let signingTime: Date
    /// The signer's certificate.
    public let signer: Certificate
    /// The authority between signer and root.
    public let authority: Certificate
    /// The pinned root.
    public let root: Certificate
    /// Where SHA-1 was accepted, in words; empty if nowhere.
    public let sha1Uses: [String]
    /// The DER copy, verified and equal to the property list; nil if the profile has none.
    public let derCopy: DERCopy?
}
