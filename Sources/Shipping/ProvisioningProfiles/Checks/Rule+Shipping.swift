// SPDX-License-Identifier: Apache-2.0

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
