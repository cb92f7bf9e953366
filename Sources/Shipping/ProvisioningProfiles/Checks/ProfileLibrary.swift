// SPDX-License-Identifier: Apache-2.0

/// Profiles at hand, in which build settings look up theirs.
public struct ProfileLibrary: Sendable {
    /// A profile with its place.
    public struct Entry: Sendable {
        /// Where it stands.
        public let path: String
        /// The profile with the outcome of its verification.
        public let examined: ExaminedProfile

        /// A profile found at `path`.
        public init(path: String, examined: ExaminedProfile) {
            self.path = path
            self.examined = examined
        }
    }

    /// All of them.
    public let entries: [Entry]

    /// A library of these profiles.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// The profiles that `PROVISIONING_PROFILE_SPECIFIER` means: by UUID, by name, or by `TEAM/name`. Xcode takes the
    /// one created last where several have the name; so they stand in that order.
    func entries(for specifier: String) -> [Entry] {
        let slash = specifier.firstIndex(of: "/")
        let name = slash.map { String(specifier[specifier.index(after: $0)...]) }
        let team = slash.map { String(specifier[..<$0]) }
        return entries.filter { entry in
            let profile = entry.examined.profile
            return profile.name == specifier || profile.uuid.lowercased() == specifier.lowercased()
                || profile.name == name && profile.teamIdentifier == team
        }
        .sorted { $0.examined.profile.creationDate > $1.examined.profile.creationDate }
    }
}
