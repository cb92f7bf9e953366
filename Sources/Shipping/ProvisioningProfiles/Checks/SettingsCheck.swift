// SPDX-License-Identifier: Apache-2.0

import Readers

/// Checks build settings before a build: is the profile of each configuration of the expected kind, and does it fit
/// team, bundle identifier and entitlements?
///
/// - Parameters:
///   - settings: as ``SigningSettings/read(contentsOf:)`` read them.
///   - expectations: by configuration; targets in other configurations are not checked. With none, every configuration
///     is checked, and its name determines the kinds of profile that fit.
///   - library: the available profiles.
///   - options: the day, and how many days before its expiry a profile becomes a finding.
public func check(
    settings: [SigningSettings], expectations: [ExpectedProfile], library: ProfileLibrary,
    options: CheckOptions = CheckOptions()
) -> CheckReport {
    var collector = FindingCollector()
    var budget = DerivationBudget.ofProject
    func run(_ settings: SigningSettings, _ kinds: Set<ProfileKind>, isAsked: Bool) {
        var check = SettingsCheck(settings, kinds: kinds, isAsked: isAsked, library: library, options: options)
        check.run(&budget)
        collector.add(check.collector.findings)
    }
    if expectations.isEmpty {
        for one in settings { run(one, Set(configuration: one.configuration), isAsked: false) }
    }
    for expectation in expectations {
        let matching = settings.filter { $0.configuration == expectation.configuration || $0.configuration.isEmpty }
        if matching.isEmpty {
            let names = Set(settings.map(\.configuration)).sorted().joined(separator: ", ")
            collector.add(
                .settingsConfiguration, Finding.Location(settings.first?.path ?? "", expectation.configuration),
                "there is no \(expectation.configuration); there are: \(names.isEmpty ? "none" : names)")
        }
        let targets = Set(matching.map(\.target))
        for one in settings where !matching.isEmpty && !targets.contains(one.target) && one.isSigned {
            let place = Finding.Location(one.path, "\(one.target) \(expectation.configuration)")
            collector.add(
                .settingsConfiguration, place, "\(one.target) has no \(expectation.configuration), others have")
        }
        for one in matching { run(one, [expectation.kind], isAsked: true) }
    }
    return CheckReport(findings: collector.findings)
}

/// Checks one target in one configuration for one SDK.
private struct SettingsCheck {
    private let settings: SigningSettings
    /// Any of these fits.
    private let kinds: Set<ProfileKind>
    /// Whether the caller requested that kind; otherwise the configuration's name only suggests what is usual.
    private let isAsked: Bool
    private let library: ProfileLibrary
    private let options: CheckOptions
    var collector = FindingCollector()

    init(
        _ settings: SigningSettings, kinds: Set<ProfileKind>, isAsked: Bool, library: ProfileLibrary,
        options: CheckOptions
    ) {
        (self.settings, self.kinds, self.isAsked) = (settings, kinds, isAsked)
        (self.library, self.options) = (library, options)
    }

    private func place(_ setting: String) -> Finding.Location {
        let sdk = settings.isOneOfSeveral ? settings.sdk : ""
        let names = [settings.target, settings.configuration, sdk, setting].filter { !$0.isEmpty }
        return Finding.Location(settings.path, names.joined(separator: " "))
    }

    mutating func run(_ budget: inout DerivationBudget) {
        collector.add(settings.findings)
        guard settings.isSigned else { return }
        let identity = settings.identity.flatMap(CertificateKind.init(identity:))
        let entitlements = readEntitlements(&budget)
        var profile: ProvisioningProfile?
        if settings.isAutomatic { checkAutomatic(identity) } else { profile = checkManual(identity, entitlements) }
        if let entitlements { checkEntitlements(entitlements, profile, &budget) }
    }

    /// Xcode chooses. Its template has "iPhone Developer" in Release too, and signs for the store at export. Signing
    /// without a certificate (`-`) is not a distribution.
    private mutating func checkAutomatic(_ identity: CertificateKind?) {
        if let specifier = settings.profileSpecifier {
            collector.add(
                .settingsStyle, place("PROVISIONING_PROFILE_SPECIFIER"),
                "automatic signing, and the profile \"\(specifier)\"")
        }
        if let identity, identity != .development, identity != .other {
            collector.add(
                .settingsStyle, place("CODE_SIGN_IDENTITY"), "automatic signing, and a \(identity.rawValue) identity")
        }
    }

    /// The chosen profile, if it is available.
    private mutating func checkManual(
        _ identity: CertificateKind?, _ entitlements: (path: String, values: Entitlements)?
    ) -> ProvisioningProfile? {
        guard let specifier = settings.profileSpecifier else {
            checkIdentity(identity, nil, "")
            checkNeed(entitlements?.values)
            return nil
        }
        let entries = library.entries(for: specifier)
        let platform = settings.platform
        // One name may identify a profile of each platform.
        let fitting = entries.first { entry in platform?.isCovered(by: entry.examined.profile.platforms) ?? true }
        guard let entry = fitting ?? entries.first else {
            let kind = ProfileKind(matchName: specifier)
            checkIdentity(identity, kind, specifier)
            if let kind { checkKind(kind, specifier) }
            if let names = settings.undefined["PROVISIONING_PROFILE_SPECIFIER"] {
                addUndefined(names, "PROVISIONING_PROFILE_SPECIFIER")
            } else if !library.isEmpty {
                // Without any profiles to compare with, the name is no finding.
                collector.add(
                    .settingsProfileUnknown, place("PROVISIONING_PROFILE_SPECIFIER"),
                    "none of the \(library.entries.count) profiles at hand is \"\(specifier)\"")
            }
            return nil
        }
        let profile = entry.examined.profile
        // These can't be compared with the profile if a part of them is only known to the build.
        for setting in ["CODE_SIGN_IDENTITY", "DEVELOPMENT_TEAM", "PRODUCT_BUNDLE_IDENTIFIER"] {
            if settings.missingFiles.isEmpty, let names = settings.undefined[setting] { addUndefined(names, setting) }
        }
        checkIdentity(identity, profile.kind, profile.name)
        collector.add(entry.examined.findings(path: entry.path, options: options))
        checkFit(profile)
        return profile
    }

    /// Compares the identity with the requested kind or, without a request, with the kind of the chosen profile. Xcode
    /// refuses a profile that doesn't contain the certificate.
    private mutating func checkIdentity(_ identity: CertificateKind?, _ profile: ProfileKind?, _ name: String) {
        guard let identity, !(identity == .other && settings.allowsNoCertificate) else { return }
        let wanted = isAsked ? kinds.first : profile
        guard let wanted, identity != wanted.certificateKind else { return }
        let reason = "a \(identity.rawValue) identity for \(wanted.displayName)"
        collector.add(.settingsIdentity, place("CODE_SIGN_IDENTITY"), isAsked ? reason : "\(reason), \"\(name)\"")
    }

    /// Manual signing without a profile: software for the Mac needs one only for entitlements that Apple restricts.
    private mutating func checkNeed(_ entitlements: Entitlements?) {
        let needed =
            settings.needsProfile
            || !settings.allowsNoCertificate
                && entitlements?.values.keys.contains { EntitlementMatch.isRestricted($0) } == true
        guard needed else { return }
        if let names = settings.undefined["PROVISIONING_PROFILE_SPECIFIER"] ?? settings.undefined["CODE_SIGN_STYLE"] {
            addUndefined(names, "PROVISIONING_PROFILE_SPECIFIER")
        } else if settings.missingFiles.isEmpty {
            collector.add(.settingsProfileMissing, place("PROVISIONING_PROFILE_SPECIFIER"), "it is not set")
        }
    }

    private mutating func addUndefined(_ names: Set<String>, _ setting: String) {
        collector.add(
            .settingsVariable, place(setting), "nothing defines " + names.sorted().joined(separator: ", "))
    }

    private mutating func checkKind(_ kind: ProfileKind, _ name: String) {
        guard !kinds.contains(kind) else { return }
        let wanted = kinds.map(\.displayName).sorted().joined(separator: " or ")
        collector.add(
            .settingsProfileKind, place("PROVISIONING_PROFILE_SPECIFIER"),
            "\"\(name)\" is for \(kind.displayName), \(wanted) is expected")
    }

    private mutating func checkFit(_ profile: ProvisioningProfile) {
        checkKind(profile.kind, profile.name)
        let chosen = place("PROVISIONING_PROFILE_SPECIFIER")
        if let platform = settings.platform, !platform.isCovered(by: profile.platforms) {
            let covered = profile.platforms.map(\.displayName).joined(separator: ", ")
            collector.add(
                .profilePlatform, chosen,
                "\"\(profile.name)\" is for \(covered), the target for \(platform.displayName)"
            )
        }
        if let team = settings.team, settings.undefined["DEVELOPMENT_TEAM"] == nil, let owner = profile.teamIdentifier,
            team != owner
        {
            collector.add(.settingsTeam, place("DEVELOPMENT_TEAM"), "\(team), and the profile's is \(owner)")
        }
        guard let bundle = settings.bundleIdentifier, let pattern = profile.applicationIdentifier else { return }
        let prefixes = profile.applicationIdentifierPrefixes + profile.teamIdentifiers
        if !prefixes.contains(where: { EntitlementMatch.matches("\($0).\(bundle)", pattern) }) {
            collector.add(
                .settingsBundleIdentifier, place("PRODUCT_BUNDLE_IDENTIFIER"), "\(pattern) does not cover \(bundle)")
        }
    }
}

// MARK: - Entitlements

extension SettingsCheck {
    /// The content of the entitlements file, with its references unreplaced. Without a file, Xcode gives an app the
    /// entitlements that every app has. So only a required data protection class needs the file.
    private mutating func readEntitlements(
        _ budget: inout DerivationBudget
    ) -> (path: String, values: Entitlements)? {
        let place = place("CODE_SIGN_ENTITLEMENTS")
        guard let path = settings.entitlementsPath else {
            if settings.missingFiles.isEmpty, let names = settings.undefined["CODE_SIGN_ENTITLEMENTS"] {
                addUndefined(names, "CODE_SIGN_ENTITLEMENTS")
            }
            if let wanted = options.dataProtection, settings.platform != .macOS {
                collector.add(.settingsEntitlements, place, "it is not set, and \(wanted) is wanted")
            }
            return nil
        }
        let file = settings.resolve(path)
        do throws(ProfileError) {
            let bytes = try FileBytes(file).readAll(limit: PropertyListLimits.profile.bytes, "an entitlements file")
            // Each target in each configuration may name the same large file.
            try budget.takeOfProject(steps: 1000 + bytes.count)
            guard case .dictionary(let values) = try PropertyList(bytes: bytes) else {
                throw ProfileError(.propertyList, "the entitlements file is no dictionary")
            }
            return (file, Entitlements(values))
        } catch {
            if let names = settings.undefined["CODE_SIGN_ENTITLEMENTS"] {
                addUndefined(names, "CODE_SIGN_ENTITLEMENTS")
            } else if !settings.mayWriteEntitlements {
                collector.add(.settingsEntitlements, place, error.description)
            }
            return nil
        }
    }

    /// Checks the entitlements that the build will be signed with: the data protection class and, if the profile is
    /// known, whether it allows every entitlement.
    private mutating func checkEntitlements(
        _ file: (path: String, values: Entitlements), _ profile: ProvisioningProfile?,
        _ budget: inout DerivationBudget
    ) {
        let (list, steps) = settings.expanding(.dictionary(file.values.values), profile)
        do throws(ProfileError) { try budget.takeOfProject(steps: steps) } catch {
            return collector.add(.settingsEntitlements, place("CODE_SIGN_ENTITLEMENTS"), error.description)
        }
        guard case .dictionary(let values) = list else { return }
        let entitlements = Entitlements(values)
        if let profile {
            let platforms = settings.platform.map { [$0] } ?? profile.platforms
            let check = EntitlementCheck(entitlements, platforms: platforms, path: file.path)
            collector.add(check.findings(against: profile))
        }
        guard settings.platform != .macOS, profile?.platforms != [.macOS] else { return }
        collector.add(DataProtectionCheck(entitlements, path: file.path).findings(wanted: options.dataProtection))
    }
}

extension CertificateKind {
    /// The kind that a `CODE_SIGN_IDENTITY` names; nil if the name is inconclusive.
    fileprivate init?(identity: String) {
        let name = identity.lowercased()
        if name.hasPrefix("apple development") || name.hasPrefix("iphone developer") || name.hasPrefix("mac developer")
        {
            self = .development
        } else if name.hasPrefix("developer id application") {
            self = .developerID
        } else if name.contains("distribution") || name.hasPrefix("3rd party mac developer application") {
            self = .distribution
        } else if name == "-" {
            self = .other
        } else {
            return nil
        }
    }
}
