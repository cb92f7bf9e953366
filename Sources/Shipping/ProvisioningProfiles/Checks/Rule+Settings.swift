// SPDX-License-Identifier: Apache-2.0

extension Rule {
    static let settingsConfiguration = Rule(
        "settings-configuration", .error, "A configuration that is expected does not exist.",
        remedy: "Correct the name after --expect, or add the configuration.")
    static let settingsStyle = Rule(
        "settings-style", .error, "Automatic signing is combined with a profile or a distribution identity.",
        remedy: "Set CODE_SIGN_STYLE to Manual, or remove PROVISIONING_PROFILE_SPECIFIER and CODE_SIGN_IDENTITY.")
    static let settingsProfileMissing = Rule(
        "settings-profile-missing", .error, "Manual signing without a profile.",
        remedy: "Set PROVISIONING_PROFILE_SPECIFIER to the profile's name.")
    static let settingsProfileUnknown = Rule(
        "settings-profile-unknown", .warning, "The profile chosen is not among those at hand.",
        remedy: "Install the profile, or name its folder with --profiles.")
    static let settingsProfileKind = Rule(
        "settings-profile-kind", .error, "The profile chosen is of another kind than this configuration needs.",
        remedy: "Set PROVISIONING_PROFILE_SPECIFIER to a profile of the kind named.")
    static let settingsIdentity = Rule(
        "settings-identity", .error, "The signing identity is for another purpose than this configuration.",
        remedy: "Set CODE_SIGN_IDENTITY to \"Apple Development\" for debugging and to \"Apple Distribution\" else.")
    static let settingsTeam = Rule(
        "settings-team", .error, "The profile chosen belongs to another team.",
        remedy: "Set DEVELOPMENT_TEAM to the profile's team, or choose a profile of this team.")
    static let settingsBundleIdentifier = Rule(
        "settings-bundle-identifier", .error, "The profile chosen does not cover the bundle identifier.",
        remedy: "Choose a profile for this bundle identifier.")
    static let settingsEntitlements = Rule(
        "settings-entitlements", .warning, "No entitlements file is set, or it can't be read.",
        remedy: "Set CODE_SIGN_ENTITLEMENTS to the target's .entitlements file.")

    static let settingsRules = [
        settingsConfiguration, settingsStyle, settingsProfileMissing, settingsProfileUnknown, settingsProfileKind,
        settingsIdentity, settingsTeam, settingsBundleIdentifier, settingsEntitlements,
    ]
}
