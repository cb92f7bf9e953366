// SPDX-License-Identifier: Apache-2.0

/// Checks an app and its extensions, before it ships, against its profile and the purpose of the build.
///
/// - Parameters:
///   - app: as ``AppReading`` read it.
///   - profile: the profile to check against; nil means the embedded one. Extensions are always checked against their
///     own embedded profiles.
///   - configuration: the purpose of the build; nil takes it from the kind of the profile.
///   - options: date, warning time, device, data protection class, custom roots.
public func check(
    app: AppBundle, profile: (path: String, examined: ExaminedProfile)? = nil,
    configuration: ShippingConfiguration? = nil, options: CheckOptions = CheckOptions()
) -> CheckReport {
    var collector = FindingCollector()
    var given = profile
    var open: [(bundle: AppBundle, host: AppBundle?)] = [(app, nil)]
    while !open.isEmpty {
        let (bundle, host) = open.removeFirst()
        var one = BundleCheck(bundle, host: host, configuration: configuration, options: options)
        one.run(given)
        collector.add(one.collector.findings)
        open += bundle.nested.map { ($0, bundle) }
        given = nil
    }
    return CheckReport(findings: collector.findings)
}

/// Checks one bundle.
struct BundleCheck {
    let bundle: AppBundle
    let host: AppBundle?
    let configuration: ShippingConfiguration?
    let options: CheckOptions
    var collector = FindingCollector()

    init(_ bundle: AppBundle, host: AppBundle?, configuration: ShippingConfiguration?, options: CheckOptions) {
        (self.bundle, self.host, self.configuration, self.options) = (bundle, host, configuration, options)
    }

    var place: Finding.Location { Finding.Location(bundle.path) }

    func place(_ detail: String) -> Finding.Location { Finding.Location(bundle.path, detail) }

    /// The platforms that the bundle and its code name.
    var platforms: [Platform] {
        bundle.platforms + bundle.code.compactMap(\.platform).filter { !bundle.platforms.contains($0) }
    }

    var isMac: Bool { platforms.contains(.macOS) }

    mutating func run(_ given: (path: String, examined: ExaminedProfile)?) {
        let profile = given ?? embedded()
        checkHost()
        if let profile {
            collector.add(profile.examined.findings(path: profile.path, options: options))
            checkKind(profile.examined.profile)
        }
        checkCode(profile?.examined.profile)
        if let signature = bundle.code.lazy.compactMap(\.signature).first {
            checkEntitlements(signature.entitlements, profile?.examined.profile)
        }
    }

    /// The purpose of the build, as a kind of profile.
    func wantedKind(_ profile: ProvisioningProfile?) -> ProfileKind? { configuration?.kind ?? profile?.kind }

    private mutating func embedded() -> (path: String, examined: ExaminedProfile)? {
        switch bundle.embeddedProfile {
        case .read(let profile):
            let name = isMac ? "embedded.provisionprofile" : "embedded.mobileprovision"
            return ("\(bundle.path)/\(name)", ExaminedProfile(profile, anchor: options.anchor, at: options.now))
        case .unreadable(let error): collector.add(.profileUnreadable, place, error.description)
        case nil where needsProfile: collector.add(.profileMissing, place, "there is no embedded profile")
        case nil: break
        }
        return nil
    }

    /// Software for macOS needs none if its entitlements need none.
    private var needsProfile: Bool {
        guard isMac else { return true }
        let entitlements = bundle.code.lazy.compactMap(\.signature).first?.entitlements?.values ?? [:]
        return !entitlements.keys.allSatisfy { EntitlementMatch.needsNoProfile($0, on: [.macOS]) }
    }

    private mutating func checkHost() {
        guard let host else { return }
        if !bundle.bundleIdentifier.hasPrefix(host.bundleIdentifier + ".") {
            collector.add(
                .nestedIdentifier, place, "\(bundle.bundleIdentifier) does not begin with \(host.bundleIdentifier).")
        }
        let team = bundle.code.lazy.compactMap(\.signature?.teamIdentifier).first
        let hostTeam = host.code.lazy.compactMap(\.signature?.teamIdentifier).first
        if let team, let hostTeam, team != hostTeam {
            collector.add(.nestedTeam, place, "team \(team), and the app's is \(hostTeam)")
        }
    }

    private mutating func checkKind(_ profile: ProvisioningProfile) {
        if let configuration { profile.addKind(wanted: configuration, place, &collector) }
        for platform in platforms where !platform.isCovered(by: profile.platforms) {
            let covered = profile.platforms.map(\.displayName).joined(separator: ", ")
            collector.add(
                .profilePlatform, place, "the app is for \(platform.displayName) and the profile for \(covered)")
        }
    }
}

/// The available profiles, in which build settings look up theirs.
public struct ProfileLibrary: Sendable {
    /// A profile with its path.
    public struct Entry: Sendable {
        /// Where it is.
        public let path: String
        /// The profile with the outcome of its verification.
        public let examined: ExaminedProfile

        /// A profile found at `path`.
        public init(path: String, examined: ExaminedProfile) {
            self.path = path
            self.examined = examined
        }
    }

    /// All profiles.
    public let entries: [Entry]

    package var isEmpty: Bool { entries.isEmpty }

    /// A library of these profiles.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// The profiles that `PROVISIONING_PROFILE_SPECIFIER` means: by UUID, by name, or by `TEAM/name`. If several have
    /// the name, Xcode takes the one created last, so they are in that order.
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
