// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which kind of profile a configuration is expected to use.
public struct ExpectedProfile: Sendable, Equatable {
    /// The configuration's name in the project.
    public let configuration: String
    /// The kind of profile.
    public let kind: ProfileKind

    /// An expectation for one configuration.
    public init(configuration: String, kind: ProfileKind) {
        self.configuration = configuration
        self.kind = kind
    }

    /// Reads `Debug=development`; nil where it is not of this form or names no kind.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, let kind = ProfileKind(spelling: parts[1]) else { return nil }
        self.init(configuration: parts[0], kind: kind)
    }
}

/// Checks build settings before anything is built: is the profile chosen for each configuration of the kind expected,
/// and does it fit team, bundle identifier and entitlements?
///
/// - Parameters:
///   - settings: as ``SigningSettings/read(contentsOf:)`` read them.
///   - expectations: by configuration; targets in other configurations are not checked.
///   - library: the profiles at hand.
///   - options: the day, and how many days before an expiry it is a finding.
public func check(
    settings: [SigningSettings], expectations: [ExpectedProfile], library: ProfileLibrary,
    options: CheckOptions = CheckOptions()
) -> CheckReport {
    var collector = FindingCollector()
    for expectation in expectations {
        let matching = settings.filter { $0.configuration == expectation.configuration || $0.configuration.isEmpty }
        if matching.isEmpty {
            let names = Set(settings.map(\.configuration)).sorted().joined(separator: ", ")
            collector.add(
                .settingsConfiguration, Finding.Place(settings.first?.path ?? "", expectation.configuration),
                "there is no \(expectation.configuration); there are: \(names.isEmpty ? "none" : names)")
        }
        for one in matching {
            var check = SettingsCheck(one, kind: expectation.kind, library: library, options: options)
            check.run()
            collector.add(check.collector.findings)
        }
    }
    return CheckReport(findings: collector.findings)
}

/// Checks one target in one configuration.
private struct SettingsCheck {
    private let settings: SigningSettings
    private let kind: ProfileKind
    private let library: ProfileLibrary
    private let options: CheckOptions
    var collector = FindingCollector()

    init(_ settings: SigningSettings, kind: ProfileKind, library: ProfileLibrary, options: CheckOptions) {
        (self.settings, self.kind, self.library, self.options) = (settings, kind, library, options)
    }

    private func place(_ setting: String) -> Finding.Place {
        let names = [settings.target, settings.configuration, setting].filter { !$0.isEmpty }
        return Finding.Place(settings.path, names.joined(separator: " "))
    }

    mutating func run() {
        let identity = settings.identity.flatMap(CertificateKind.init(identity:))
        var profile: ProvisioningProfile?
        if settings.isAutomatic { checkAutomatic(identity) } else { profile = checkManual(identity) }
        checkEntitlementsFile(profile)
    }

    /// Xcode chooses; its template has "iPhone Developer" in Release too and signs for the store when exporting.
    private mutating func checkAutomatic(_ identity: CertificateKind?) {
        if let specifier = settings.profileSpecifier {
            collector.add(
                .settingsStyle, place("PROVISIONING_PROFILE_SPECIFIER"),
                "automatic signing, and the profile \"\(specifier)\"")
        }
        if let identity, identity != .development {
            collector.add(
                .settingsStyle, place("CODE_SIGN_IDENTITY"), "automatic signing, and a \(identity.rawValue) identity")
        }
    }

    /// The profile chosen, where it is at hand.
    private mutating func checkManual(_ identity: CertificateKind?) -> ProvisioningProfile? {
        if let identity, identity != kind.certificateKind {
            collector.add(
                .settingsIdentity, place("CODE_SIGN_IDENTITY"),
                "a \(identity.rawValue) identity for \(kind.displayName)")
        }
        guard let specifier = settings.profileSpecifier else {
            collector.add(.settingsProfileMissing, place("PROVISIONING_PROFILE_SPECIFIER"), "it is not set")
            return nil
        }
        guard let entry = library.entries(for: specifier).first else {
            collector.add(
                .settingsProfileUnknown, place("PROVISIONING_PROFILE_SPECIFIER"),
                "none of the \(library.entries.count) profiles at hand is \"\(specifier)\"")
            return nil
        }
        collector.add(entry.examined.findings(path: entry.path, options: options))
        checkFit(entry.examined.profile)
        return entry.examined.profile
    }

    private mutating func checkFit(_ profile: ProvisioningProfile) {
        let chosen = place("PROVISIONING_PROFILE_SPECIFIER")
        if profile.kind != kind {
            collector.add(
                .settingsProfileKind, chosen,
                "\"\(profile.name)\" is for \(profile.kind.displayName), \(kind.displayName) is expected")
        }
        if let team = settings.team, let owner = profile.teamIdentifier, team != owner {
            collector.add(.settingsTeam, place("DEVELOPMENT_TEAM"), "\(team), and the profile's is \(owner)")
        }
        guard let bundle = settings.bundleIdentifier, let pattern = profile.applicationIdentifier else { return }
        let prefixes = profile.applicationIdentifierPrefixes + profile.teamIdentifiers
        if !prefixes.contains(where: { EntitlementMatch.matches("\($0).\(bundle)", pattern) }) {
            collector.add(
                .settingsBundleIdentifier, place("PRODUCT_BUNDLE_IDENTIFIER"), "\(pattern) does not cover \(bundle)")
        }
    }

    /// What the build will be signed with: its data protection class and, where the profile is known, whether that one
    /// allows every entitlement.
    private mutating func checkEntitlementsFile(_ profile: ProvisioningProfile?) {
        let place = place("CODE_SIGN_ENTITLEMENTS")
        guard let path = settings.entitlementsPath else {
            collector.add(.settingsEntitlements, place, "it is not set")
            return
        }
        do throws(ProfileError) {
            let file = settings.resolve(path)
            let bytes = try FileBytes(file).readAll(limit: PropertyListLimits.profile.bytes, "an entitlements file")
            guard case .dictionary(let values) = settings.expanding(try PropertyList(bytes: bytes), profile) else {
                throw ProfileError(.propertyList, "the entitlements file is no dictionary")
            }
            let entitlements = Entitlements(values)
            if let profile {
                let check = EntitlementCheck(entitlements, platforms: profile.platforms, path: file)
                collector.add(check.findings(against: profile))
            }
            guard profile?.platforms != [.macOS] else { return }
            collector.add(DataProtectionCheck(entitlements, path: file).findings(wanted: options.dataProtection))
        } catch {
            collector.add(.settingsEntitlements, place, error.description)
        }
    }
}

extension SigningSettings {
    /// A path of a setting: relative to the folder that holds the project, or to that of the file itself.
    fileprivate func resolve(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        // Settings printed on one machine may be checked on another, where only the file's own folder is there.
        let own = (self.path as NSString).deletingLastPathComponent
        let folders = [values["SRCROOT"], own.isEmpty ? "." : own].compactMap(\.self)
        let candidates = folders.map { "\($0)/\(path)" }
        return candidates.first { isFolder($0) == false } ?? candidates[0]
    }

    /// Entitlements with the variables replaced that Xcode replaces when it signs.
    fileprivate func expanding(_ list: PropertyList, _ profile: ProvisioningProfile?) -> PropertyList {
        switch list {
        case .string(let text): .string(SettingsExpander.replacing(text) { variable($0, profile) })
        case .array(let values): .array(values.map { expanding($0, profile) })
        case .dictionary(let values): .dictionary(values.mapValues { expanding($0, profile) })
        default: list
        }
    }

    private func variable(_ name: String, _ profile: ProvisioningProfile?) -> String? {
        switch name {
        case "AppIdentifierPrefix": profile?.applicationIdentifierPrefixes.first.map { "\($0)." }
        case "TeamIdentifierPrefix": (team ?? profile?.teamIdentifier).map { "\($0)." }
        case "CFBundleIdentifier": bundleIdentifier
        default: values[name]
        }
    }
}

extension CertificateKind {
    /// The kind that a `CODE_SIGN_IDENTITY` asks for; nil for a name that leaves it open.
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
