// SPDX-License-Identifier: Apache-2.0

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
        remedy: "Nothing: Apple signs all envelopes so. In profiles of 2025 and later the DER copy is stronger.")
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
        "certificate-unreadable", .warning, "An entry of the profile's certificates is no certificate.",
        remedy: "Download the profile again from Apple's developer site.")
    static let certificatesExpired = Rule(
        "certificates-expired", .error, "No certificate in the profile is valid any more.",
        remedy: "Add a valid certificate to the profile on Apple's developer site.")

    static let profileRules = [
        profileUnsigned, profileNotVerified, profileCustomAnchor, profileSHA1, derCopyMissing, distributionType,
        profileExpired, profileExpiresSoon, certificateUnreadable, certificatesExpired,
    ]
}
