// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A profile that was read and not verified: anybody may have written or changed it.
public struct UnverifiedProfile: Sendable {
    /// What it says.
    public let profile: ProvisioningProfile

    let envelope: SignedData?

    /// Larger files are refused: 1 MiB.
    public static let maximumSize = SignedData.maximumSize

    /// Whether it has an envelope with a signature at all. A bare property list has none and never verifies.
    public var isSigned: Bool { envelope != nil }

    /// Reads a `.mobileprovision` or `.provisionprofile`: a CMS envelope in DER or BER, or a bare property list.
    ///
    /// - Throws: ``ProfileError`` with a reading code.
    public init(bytes: [UInt8]) throws(ProfileError) {
        guard bytes.count <= Self.maximumSize else {
            throw ProfileError(.tooLarge, "a profile of \(bytes.count) bytes; the limit is \(Self.maximumSize)")
        }
        // A SEQUENCE begins an envelope; XML begins otherwise, and profiles have no other form.
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
        let file = try OpenFile(path)
        guard file.size <= UInt64(Self.maximumSize) else {
            throw ProfileError(.tooLarge, "a profile of \(file.size) bytes; the limit is \(Self.maximumSize)")
        }
        try self.init(bytes: file.read(at: 0, count: Int(file.size)))
    }

    /// Verifies under Apple's two pinned roots, offline: content digest, signed attributes, signature, chain at the
    /// signing time, the signer of the profile's platform, and the DER copy where there is one.
    ///
    /// An expired profile, and one whose signer has expired since, verifies all the same: the signing time counts.
    ///
    /// - Parameter now: against which "in the future" is judged.
    /// - Throws: ``ProfileError`` with a verifying code; `unsigned` for a bare property list.
    public func verified(at now: Date = Date()) throws(ProfileError) -> VerifiedProfile {
        VerifiedProfile(profile: profile, verification: try verification(.apple, now))
    }

    /// Verifies in the same way under roots of one's own. The result is of another type.
    ///
    /// - Throws: as ``verified(at:)``.
    public func verified(
        under anchor: CustomAnchor, at now: Date = Date()
    ) throws(ProfileError) -> CustomVerifiedProfile {
        CustomVerifiedProfile(profile: profile, verification: try verification(anchor.anchors, now))
    }
}
