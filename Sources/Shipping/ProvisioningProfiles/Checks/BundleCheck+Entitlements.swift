// SPDX-License-Identifier: Apache-2.0

extension BundleCheck {
    mutating func checkEntitlements(_ signed: Entitlements?, _ profile: ProvisioningProfile?) {
        guard let signed, !signed.values.isEmpty else {
            // On a Mac an app without entitlements is complete.
            if !isMac { collector.add(.entitlementsMissing, place, "there are none in the code signature") }
            return
        }
        if let profile {
            checkIdentifier(signed, profile)
            collector.add(
                EntitlementCheck(signed, platforms: platforms, path: bundle.path).findings(against: profile))
        }
        checkDefaultGroup(signed)
        checkDebugging(signed, profile)
        if !isMac {
            collector.add(DataProtectionCheck(signed, path: bundle.path).findings(wanted: options.dataProtection))
        }
    }

    private mutating func checkIdentifier(_ signed: Entitlements, _ profile: ProvisioningProfile) {
        let place = place(Entitlements.Key.applicationIdentifier)
        guard let identifier = signed.applicationIdentifier else {
            if !isMac { collector.add(.applicationIdentifier, place, "none is signed") }
            return
        }
        let prefixes =
            profile.applicationIdentifierPrefixes.isEmpty
            ? profile.teamIdentifiers : profile.applicationIdentifierPrefixes
        if !prefixes.contains(where: { "\($0).\(bundle.bundleIdentifier)" == identifier }) {
            collector.add(
                .applicationIdentifier, place,
                "\(identifier) is not a prefix of the profile with \(bundle.bundleIdentifier)")
        } else if let pattern = profile.applicationIdentifier, !EntitlementMatch.matches(identifier, pattern) {
            collector.add(.applicationIdentifier, place, "\(identifier) is not covered by \(pattern)")
        }
    }

    private mutating func checkDefaultGroup(_ signed: Entitlements) {
        guard let group = signed.keychainAccessGroups?.first, let own = signed.applicationIdentifier, group != own
        else { return }
        collector.add(
            .keychainDefaultGroup, place(Entitlements.Key.keychainAccessGroups), "the default group is \(group)")
    }

    private mutating func checkDebugging(_ signed: Entitlements, _ profile: ProvisioningProfile?) {
        guard let kind = wantedKind(profile) else { return }
        let place = place(Entitlements.Key.getTaskAllow)
        if kind != .development, signed.allowsDebugging {
            collector.add(.debuggable, place, "get-task-allow is true in a build for \(kind.displayName)")
        } else if kind == .development, !signed.allowsDebugging {
            collector.add(.notDebuggable, place, "get-task-allow is not true")
        }
    }
}

/// Compares entitlements, signed or to be signed, with what a profile allows.
struct EntitlementCheck {
    private let signed: Entitlements
    private let platforms: [Platform]
    private let path: String

    init(_ signed: Entitlements, platforms: [Platform], path: String) {
        (self.signed, self.platforms, self.path) = (signed, platforms, path)
    }

    /// Checked separately, by their own rules.
    private static let identifiers: Set = [
        Entitlements.Key.applicationIdentifier, Entitlements.Key.macApplicationIdentifier,
        Entitlements.Key.keychainAccessGroups,
    ]

    func findings(against profile: ProvisioningProfile) -> [Finding] {
        var collector = FindingCollector()
        let allowed = profile.entitlements.values
        for (key, value) in signed.values.sorted(by: { $0.key < $1.key }) where !Self.identifiers.contains(key) {
            guard !EntitlementMatch.needsNoProfile(key, on: platforms) else { continue }
            let place = Finding.Location(path, key)
            if let limit = allowed[key] {
                if !EntitlementMatch.isAllowed(value, by: limit) {
                    collector.add(
                        .entitlementNotAllowed, place, "\"\(profile.name)\" allows \(key) with other values only")
                }
            } else if value != .boolean(false) {
                collector.add(.entitlementNotAllowed, place, "\"\(profile.name)\" does not have \(key)")
            }
        }
        addGroups(profile, &collector)
        return collector.findings
    }

    private func addGroups(_ profile: ProvisioningProfile, _ collector: inout FindingCollector) {
        guard let list = signed.values[Entitlements.Key.keychainAccessGroups] else { return }
        let place = Finding.Location(path, Entitlements.Key.keychainAccessGroups)
        guard let groups = list.strings else {
            collector.add(.keychainGroupNotAllowed, place, "it is not a list of texts")
            return
        }
        let allowed = profile.entitlements.keychainAccessGroups ?? []
        for group in groups where !allowed.contains(where: { EntitlementMatch.matches(group, $0) }) {
            let reason =
                group.hasSuffix("*")
                ? "\(group) is a pattern and names no group" : "\(group) is not allowed by \"\(profile.name)\""
            collector.add(.keychainGroupNotAllowed, place, reason)
        }
    }
}

/// The default protection class of an app's files.
struct DataProtectionCheck {
    private let signed: Entitlements
    private let place: Finding.Location

    private static let none = "NSFileProtectionNone"

    init(_ signed: Entitlements, path: String) {
        self.signed = signed
        place = Finding.Location(path, Entitlements.Key.defaultDataProtection)
    }

    func findings(wanted: String?) -> [Finding] {
        guard let value = signed.defaultDataProtection else {
            return [
                Finding(.dataProtectionMissing, place, "files get the system's default, readable after first unlock")
            ]
        }
        if let wanted, value != wanted {
            return [Finding(.dataProtectionClass, place, "\(value) instead of \(wanted)")]
        }
        if wanted == nil, value == Self.none {
            return [Finding(.dataProtectionClass, place, "\(value) protects nothing")]
        }
        return []
    }
}

/// Whether a profile's entitlement allows a signed one:
///
/// - the same value, which may itself be a pattern (pass types are signed so);
/// - a pattern ending in `*` for any text with that prefix, and `*` for anything;
/// - an array for any selection of what its members allow;
/// - true for true or false.
enum EntitlementMatch {
    static func isAllowed(_ signed: PropertyList, by allowed: PropertyList) -> Bool {
        switch (signed, allowed) {
        case (_, .string("*")): true
        case (.string(let text), .string(let pattern)): text == pattern || matches(text, pattern)
        case (.array(let values), _): values.allSatisfy { isAllowed($0, by: allowed) }
        case (_, .array(let choices)): choices.contains { isAllowed(signed, by: $0) }
        case (.boolean(let value), .boolean(let limit)): limit || !value
        case (.dictionary(let values), .dictionary(let limits)):
            values.allSatisfy { key, value in limits[key].map { isAllowed(value, by: $0) } ?? false }
        default: signed == allowed
        }
    }

    /// Matches an identifier. A pattern's `*` is at the end and matches at least one character. A text that is itself a
    /// pattern names nothing.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        guard pattern.hasSuffix("*") else { return text == pattern }
        let stem = pattern.dropLast()
        return text.hasPrefix(stem) && text.utf8.count > stem.utf8.count && !text.hasSuffix("*")
    }

    /// Entitlements that need no profile on the Mac: the sandbox and the hardened runtime.
    static func needsNoProfile(_ key: String, on platforms: [Platform]) -> Bool {
        platforms.contains(.macOS) && key.hasPrefix("com.apple.security.")
            && key != "com.apple.security.application-groups"
    }
}
