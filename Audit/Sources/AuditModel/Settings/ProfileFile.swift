// SPDX-License-Identifier: Apache-2.0

import ProvisioningProfiles

/// A provisioning profile that lies in the tree. Nobody vouches for it: its signature isn't looked at.
package struct ProfileFile: Sendable {
    package let path: String
    package let name: String
    /// Whether a debugger may attach to what is signed with it.
    package let isForDevelopment: Bool
    private let profile: UnverifiedProfile

    init(path: String, bytes: [UInt8]) throws(ProfileError) {
        profile = try UnverifiedProfile(bytes: bytes)
        self.path = path
        name = profile.profile.name
        isForDevelopment = profile.profile.kind == .development
    }

    /// Whether `PROVISIONING_PROFILE_SPECIFIER` means it: by name, by UUID, or by team and name.
    func isMeant(by specifier: String) -> Bool {
        let one = profile.profile
        return one.name == specifier || one.uuid.lowercased() == specifier.lowercased()
            || "\(one.teamIdentifier ?? "")/\(one.name)" == specifier
    }

    /// The entitlements of a target that this profile doesn't allow: key, file and reason.
    func refused(_ settings: SigningSettings) -> [SigningFile.Refusal] {
        let library = ProfileLibrary([.init(path: path, examined: ExaminedProfile(profile))])
        return check(settings: [settings], expectations: [], library: library).findings.compactMap { finding in
            let rules = ["entitlement-not-allowed", "keychain-group-not-allowed"]
            guard rules.contains(finding.rule.id) else { return nil }
            return SigningFile.Refusal(
                file: finding.place.path, key: finding.place.detail ?? "", reason: finding.reason)
        }
    }
}
