// SPDX-License-Identifier: Apache-2.0

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
