// SPDX-License-Identifier: Apache-2.0

/// One rule of the catalogue (Documentation/ProfileFindings.md).
public struct Rule: Sendable, Hashable {
    /// The stable name in reports.
    public let id: String
    /// The severity of breaking it.
    public let severity: Finding.Severity
    /// What it reports, in one sentence.
    public let title: String
    /// What to do about it.
    public let remedy: String

    init(_ id: String, _ severity: Finding.Severity, _ title: String, remedy: String) {
        self.id = id
        self.severity = severity
        self.title = title
        self.remedy = remedy
    }

    /// Every rule, in the order of the catalogue.
    public static let all: [Rule] = profileRules + codeRules + entitlementRules + shippingRules + settingsRules
}

extension Rule {
    static let profileUnsigned = Rule(
        "profile-unsigned", .error, "The profile is a bare property list without a signature.",
        remedy: "Download the profile again from Apple's developer site.")
    static let profileNotVerified = Rule(
        "profile-not-verified", .error, "The profile does not verify under Apple's roots.",
        remedy: "Do not use it. Download the profile again from Apple's developer site.")
    static let profileCustomAnchor = Rule(
        "profile-custom-anchor", .warning, "The profile verifies under the roots given, not under Apple's.",
        remedy: "Use a profile from Apple's developer site; devices take no other.")
    static let profileSHA1 = Rule(
        "profile-sha1", .note, "The envelope of the profile is signed with SHA-1.",
        remedy: "Nothing: Apple signs all envelopes this way. In profiles of 2025 and later the DER copy is stronger.")
    static let derCopyMissing = Rule(
        "der-copy-missing", .warning, "A profile of 2025 or later has no DER copy.",
        remedy: "Download the profile again; Apple puts a copy signed with SHA-256 into new profiles.")
    static let distributionType = Rule(
        "distribution-type", .error, "The DER copy names another kind of profile than its keys do.",
        remedy: "Download the profile again from Apple's developer site.")
    static let profileExpired = Rule(
        "profile-expired", .error, "The profile has expired.",
        remedy: "Renew the profile on Apple's developer site and sign the app again.")
    static let profileExpiresSoon = Rule(
        "profile-expires-soon", .warning, "The profile expires soon.",
        remedy: "Renew the profile on Apple's developer site in time.")
    static let certificateUnreadable = Rule(
        "certificate-unreadable", .warning, "An entry of the profile's certificates is not a certificate.",
        remedy: "Download the profile again from Apple's developer site.")
    static let certificatesExpired = Rule(
        "certificates-expired", .error, "No certificate in the profile is valid any more.",
        remedy: "Add a valid certificate to the profile on Apple's developer site.")

    static let profileRules = [
        profileUnsigned, profileNotVerified, profileCustomAnchor, profileSHA1, derCopyMissing, distributionType,
        profileExpired, profileExpiresSoon, certificateUnreadable, certificatesExpired,
    ]
}

extension Rule {
    static let entitlementsMissing = Rule(
        "entitlements-missing", .error, "The code is signed without entitlements.",
        remedy: "Sign with the entitlements that Xcode makes; without them there is no keychain group and no team.")
    static let entitlementsChanged = Rule(
        "entitlements-changed", .error, "The entitlements are not those that were signed.",
        remedy: "Sign the app again; its entitlements were changed afterwards.")
    static let derEntitlementsMissing = Rule(
        "der-entitlements-missing", .warning, "The entitlements are there in XML only.",
        remedy: "Sign with a current codesign; iOS 15 and later read the DER form.")
    static let derEntitlementsDisagree = Rule(
        "der-entitlements-disagree", .error, "The entitlements in XML and in DER do not say the same.",
        remedy: "Sign the app again with one tool.")
    static let entitlementNotAllowed = Rule(
        "entitlement-not-allowed", .error, "An entitlement is signed that the profile does not allow.",
        remedy: "Enable the capability for the app identifier and renew the profile, or remove the entitlement.")
    static let applicationIdentifier = Rule(
        "application-identifier", .error, "The application identifier does not fit profile and bundle.",
        remedy: "Use a profile for this bundle identifier, or correct the bundle identifier.")
    static let keychainGroupNotAllowed = Rule(
        "keychain-group-not-allowed", .error, "A keychain access group is not allowed by the profile.",
        remedy: "Begin keychain groups with the team identifier of the profile.")
    static let keychainDefaultGroup = Rule(
        "keychain-default-group", .note, "Keychain items without a group go to a group shared with other apps.",
        remedy: "List the app's own identifier first in keychain-access-groups, or name the group for every item.")
    static let dataProtectionMissing = Rule(
        "data-protection-missing", .warning, "The app is not signed with a default data protection class.",
        remedy: "Add the Data Protection capability; files then get the class without code.")
    static let dataProtectionClass = Rule(
        "data-protection-class", .error, "The default data protection class is not the one wanted.",
        remedy: "Set com.apple.developer.default-data-protection to the class wanted.")
    static let debuggable = Rule(
        "debuggable", .error, "A build that is not for development allows debuggers to attach.",
        remedy: "Sign release builds with a distribution profile, which sets get-task-allow to false.")
    static let notDebuggable = Rule(
        "not-debuggable", .warning, "A development build does not allow debuggers to attach.",
        remedy: "Sign with a development profile and get-task-allow set to true.")

    static let entitlementRules = [
        entitlementsMissing, entitlementsChanged, derEntitlementsMissing, derEntitlementsDisagree,
        entitlementNotAllowed, applicationIdentifier, keychainGroupNotAllowed, keychainDefaultGroup,
        dataProtectionMissing, dataProtectionClass, debuggable, notDebuggable,
    ]
}

extension Rule {
    static let codeUnreadable = Rule(
        "code-unreadable", .error, "The executable or its code signature can't be read.",
        remedy: "Build and sign the app again; a file that was cut or patched does not start.")
    static let codeUnsigned = Rule(
        "code-unsigned", .error, "A slice of the executable has no code signature.",
        remedy: "Sign the app with codesign or Xcode.")
    static let codeAdHoc = Rule(
        "code-ad-hoc-signed", .error, "The code is signed ad hoc, without a certificate.",
        remedy: "Sign the app with a developer certificate that the profile lists.")
    static let codeSignatureInvalid = Rule(
        "code-signature-invalid", .error, "The signature over the code directory does not verify.",
        remedy: "Sign the app again; its code directory or signature was changed, or the signer is not Apple's.")
    static let codeCustomAnchor = Rule(
        "code-custom-anchor", .warning, "The code signature verifies under the roots given, not under Apple's.",
        remedy: "Sign the app with a certificate that Apple issued.")
    static let slicesDiffer = Rule(
        "slices-differ", .error,
        "The slices of a fat executable are signed with different identifiers or entitlements.",
        remedy: "Sign all slices together.")
    static let bundleIdentifierDiffers = Rule(
        "bundle-identifier-differs", .error, "The code signature names another identifier than Info.plist.",
        remedy: "Sign the app again after changing its bundle identifier.")
    static let signerNotInProfile = Rule(
        "signer-not-in-profile", .error, "The certificate that signed the code is not in the profile.",
        remedy: "Add the certificate to the profile, or sign with one that it lists.")
    static let signerExpired = Rule(
        "signer-expired", .error, "The certificate that signed the code has expired.",
        remedy: "Renew the certificate and sign the app again.")
    static let signerKind = Rule(
        "signer-kind", .error, "The code is signed with a certificate for another purpose.",
        remedy: "Sign development builds with a development certificate and all others with a distribution certificate."
    )
    static let teamDiffers = Rule(
        "team-differs", .error, "Code signature, certificate and profile do not name the same team.",
        remedy: "Sign with certificate and profile of one team.")

    static let codeRules = [
        codeUnreadable, codeUnsigned, codeAdHoc, codeSignatureInvalid, codeCustomAnchor, slicesDiffer,
        bundleIdentifierDiffers, signerNotInProfile, signerExpired, signerKind, teamDiffers,
    ]
}

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
        remedy: "Set CODE_SIGN_IDENTITY to \"Apple Development\" for debugging and to \"Apple Distribution\" otherwise."
    )
    static let settingsTeam = Rule(
        "settings-team", .error, "The profile chosen belongs to another team.",
        remedy: "Set DEVELOPMENT_TEAM to the profile's team, or choose a profile of this team.")
    static let settingsBundleIdentifier = Rule(
        "settings-bundle-identifier", .error, "The profile chosen does not cover the bundle identifier.",
        remedy: "Choose a profile for this bundle identifier.")
    static let settingsEntitlements = Rule(
        "settings-entitlements", .warning, "The entitlements file can't be read, or one is needed and not set.",
        remedy: "Set CODE_SIGN_ENTITLEMENTS to the target's .entitlements file.")
    static let settingsVariable = Rule(
        "settings-variable", .warning, "A setting of signing depends on a variable that is defined nowhere.",
        remedy: "Define it, or check what xcodebuild -showBuildSettings -json prints, where the environment counts.")
    static let settingsFileMissing = Rule(
        "settings-file-missing", .warning, "An .xcconfig file that is asked for is missing.",
        remedy: "Put it there before the check; the rest was judged without it.")
    static let settingsFileCase = Rule(
        "settings-file-case", .note, "An .xcconfig file is asked for with other capitals than it has.",
        remedy: "Spell the name as the file's; a volume that tells capitals apart does not find it.")
    static let settingsLine = Rule(
        "settings-line", .warning, "A line of an .xcconfig file is no setting and no #include.",
        remedy: "Correct the line; Xcode reports it and leaves it out.")

    static let settingsRules = [
        settingsConfiguration, settingsStyle, settingsProfileMissing, settingsProfileUnknown, settingsProfileKind,
        settingsIdentity, settingsTeam, settingsBundleIdentifier, settingsEntitlements, settingsVariable,
        settingsFileMissing, settingsFileCase, settingsLine,
    ]
}

extension Rule {
    static let profileMissing = Rule(
        "profile-missing", .error, "The bundle has no embedded profile.",
        remedy: "Embed the profile when signing; only builds that the App Store delivers come without one.")
    static let profileUnreadable = Rule(
        "profile-unreadable", .error, "The embedded profile can't be read.",
        remedy: "Embed the profile as it was downloaded.")
    static let profileKind = Rule(
        "profile-kind", .error, "The profile is of another kind than the configuration needs.",
        remedy: "Choose a profile of the kind named, for this configuration.")
    static let profilePlatform = Rule(
        "profile-platform", .error, "The profile is for another platform than the app.",
        remedy: "Choose a profile for the app's platform.")
    static let deviceNotListed = Rule(
        "device-not-listed", .error, "The device is not in the profile.",
        remedy: "Register the device, add it to the profile, and sign the app again.")
    static let nestedIdentifier = Rule(
        "nested-identifier", .error, "The bundle identifier of an extension does not begin with that of its app.",
        remedy: "Begin the extension's bundle identifier with the app's and a dot.")
    static let nestedTeam = Rule(
        "nested-team", .error, "An extension is signed by another team than its app.",
        remedy: "Sign app and extensions with one team.")

    static let shippingRules = [
        profileMissing, profileUnreadable, profileKind, profilePlatform, deviceNotListed, nestedIdentifier, nestedTeam,
    ]
}
