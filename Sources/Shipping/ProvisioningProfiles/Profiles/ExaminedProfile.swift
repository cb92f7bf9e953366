// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A profile together with the outcome of its verification.
public enum ExaminedProfile: Sendable {
    /// Signed by Apple.
    case apple(VerifiedProfile)
    /// Verified under custom roots.
    case custom(CustomVerifiedProfile)
    /// Read, but not verified, and why.
    case unverified(UnverifiedProfile, ProfileError)

    /// Verifies under Apple's roots and, if that fails, under `anchor` if given. Keeps the reason of the last failure.
    public init(_ profile: UnverifiedProfile, anchor: CustomAnchor? = nil, at now: Date = Date()) {
        do throws(ProfileError) {
            self = .apple(try profile.verified(at: now))
        } catch {
            guard let anchor else {
                self = .unverified(profile, error)
                return
            }
            self.init(profile, under: anchor, at: now)
        }
    }

    private init(_ profile: UnverifiedProfile, under anchor: CustomAnchor, at now: Date) {
        do throws(ProfileError) {
            self = .custom(try profile.verified(under: anchor, at: now))
        } catch {
            self = .unverified(profile, error)
        }
    }

    /// The profile's content.
    public var profile: ProvisioningProfile {
        switch self {
        case .apple(let verified): verified.profile
        case .custom(let verified): verified.profile
        case .unverified(let read, _): read.profile
        }
    }

    /// How it was verified; nil if it was not.
    public var verification: ProfileVerification? {
        switch self {
        case .apple(let verified): verified.verification
        case .custom(let verified): verified.verification
        case .unverified: nil
        }
    }
}
