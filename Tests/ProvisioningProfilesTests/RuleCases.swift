// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

/// An app with everything that a check goes by; clean until a case changes it.
struct Scenario {
    var app: AppRecipe
    var configuration: ShippingConfiguration?
    var options: CheckOptions

    init(_ kind: ProfileKind, platform: String = "iPhoneOS") throws {
        app = try AppRecipe(kind, platform: platform)
        configuration =
            switch kind {
            case .development: .debug
            case .adHoc: .adHoc
            case .appStore: .appStore
            case .enterprise: .enterprise
            case .developerID: .developerID
            }
        options = CheckOptions(now: .now, warnDays: 30, anchor: try TestAuthority.anchor())
    }

    func findings() throws -> [Finding] {
        check(app: try app.read(), configuration: configuration, options: options).findings
    }

    /// The entitlements that are signed, in every slice.
    mutating func sign(_ key: String, _ value: PropertyList?) {
        for index in app.slices.indices { app.slices[index].entitlements?[key] = value }
    }

    mutating func allow(_ key: String, _ value: PropertyList?) { app.profile?.entitlements[key] = value }

    mutating func addPlugIn(_ identifier: String, _ change: (inout AppRecipe) -> Void = { _ in }) throws {
        var plugIn = try AppRecipe(.appStore, bundleIdentifier: identifier)
        plugIn.name = "Share.appex"
        change(&plugIn)
        app.nested = [plugIn]
    }
}

/// One rule with a change that fires it and a close one that does not.
struct RuleCase: CustomTestStringConvertible, Sendable {
    typealias Change = @Sendable (inout Scenario) throws -> Void

    let rule: String
    let kind: ProfileKind
    let fires: Change
    let close: Change

    init(_ rule: String, _ kind: ProfileKind = .appStore, fires: @escaping Change, close: @escaping Change) {
        (self.rule, self.kind, self.fires, self.close) = (rule, kind, fires, close)
    }

    var testDescription: String { rule }

    static let all: [RuleCase] = profiles + code + entitlements + shipping

    private static let date2025 = Date(timeIntervalSince1970: 1_735_689_600)
    private static let groups = "keychain-access-groups"
    private static let protection = "com.apple.developer.default-data-protection"

    static let profiles: [RuleCase] = [
        RuleCase("profile-unsigned") {
            $0.app.profileBytes = try TestAuthority.bytes("profiles/bare.mobileprovision")
        } close: {
            $0.app.profileBytes = try TestAuthority.bytes("profiles/store.mobileprovision")
        },
        RuleCase("profile-not-verified") {
            $0.options.anchor = nil
        } close: { _ in
        },
        RuleCase("profile-custom-anchor") { _ in
        } close: {
            $0.options.anchor = nil
        },
        RuleCase("profile-sha1") {
            $0.app.profileBytes = try TestAuthority.bytes("profiles/store.mobileprovision")
        } close: {
            $0.app.profileBytes = try TestAuthority.bytes("profiles/sha256.mobileprovision")
        },
        RuleCase("der-copy-missing") {
            $0.app.profile?.values["CreationDate"] = .date(date2025)
        } close: {
            $0.app.profile?.values["CreationDate"] = .date(date2025 - 1)
        },
        RuleCase("distribution-type") {
            $0.app.profileBytes = try TestAuthority.bytes("profiles/copy-other-kind.mobileprovision")
        } close: {
            $0.app.profileBytes = try TestAuthority.bytes("profiles/copy-agrees.mobileprovision")
        },
        RuleCase("profile-expired") {
            $0.app.profile?.values["ExpirationDate"] = .date(ProfileRecipe.wholeSeconds(.now - 2))
        } close: {
            $0.app.profile?.values["ExpirationDate"] = .date(ProfileRecipe.wholeSeconds(.now + 60))
        },
        RuleCase("profile-expires-soon") {
            $0.options.warnDays = 301
        } close: {
            $0.options.warnDays = 299
        },
        RuleCase("certificate-unreadable") {
            $0.app.profile?.values["DeveloperCertificates"] = .array([
                .data(try TestAuthority.certificate("distribution")), .data([1, 2, 3]),
            ])
        } close: {
            $0.app.profile?.values["DeveloperCertificates"] = .array([
                .data(try TestAuthority.certificate("distribution")),
                .data(try TestAuthority.certificate("development")),
            ])
        },
        RuleCase("certificates-expired") {
            $0.app.profile?.values["DeveloperCertificates"] = .array([
                .data(try TestAuthority.certificate("old-development"))
            ])
        } close: {
            $0.app.profile?.values["DeveloperCertificates"] = .array([
                .data(try TestAuthority.certificate("old-development")),
                .data(try TestAuthority.certificate("distribution")),
            ])
        },
    ]

    static let code: [RuleCase] = [
        RuleCase("code-unreadable") {
            $0.app.codeBytes = Array(try $0.app.slices[0].bytes().dropLast())
        } close: { _ in
        },
        RuleCase("code-unsigned") {
            $0.app.slices[0].hasSignature = false
        } close: {
            $0.app.slices[0].signer = nil
        },
        RuleCase("code-ad-hoc-signed") {
            $0.app.slices[0].signer = nil
        } close: { _ in
        },
        RuleCase("code-signature-invalid") {
            $0.app.slices[0].changeBlobs = { $0[0]?[9] ^= 1 }
        } close: {
            $0.app.slices[0].hasAlternate = true
        },
        RuleCase("code-custom-anchor") { _ in
        } close: {
            $0.options.anchor = nil
        },
        RuleCase("slices-differ") {
            $0.app.slices.append($0.app.slices[0])
            $0.app.slices[1].entitlements?["get-task-allow"] = nil
        } close: {
            $0.app.slices.append($0.app.slices[0])
        },
        RuleCase("bundle-identifier-differs") {
            $0.app.slices[0].identifier = "org.example.App"
        } close: {
            $0.app.slices[0].identifier = "org.example.app"
        },
        RuleCase("signer-not-in-profile") {
            $0.app.profile?.values["DeveloperCertificates"] = .array([
                .data(try TestAuthority.certificate("development"))
            ])
        } close: {
            $0.app.profile?.values["DeveloperCertificates"] = .array([
                .data(try TestAuthority.certificate("development")),
                .data(try TestAuthority.certificate("distribution")),
            ])
        },
        RuleCase("signer-expired") {
            $0.options.now = .now + 3651 * 86_400
            $0.app.slices[0].changeEnvelope = { $0.signingTime = .now }
        } close: {
            $0.options.now = .now + 3649 * 86_400
        },
        RuleCase("signer-kind") {
            $0.app.slices[0].signer = "development"
        } close: {
            $0.app.slices[0].signer = "distribution"
        },
        RuleCase("team-differs") {
            $0.app.slices[0].team = "OTHERTEAM1"
        } close: {
            $0.app.slices[0].team = nil
        },
    ]

    static let entitlements: [RuleCase] = [
        RuleCase("entitlements-missing") {
            $0.app.slices[0].entitlements = nil
        } close: {
            $0.app.slices[0].entitlements = $0.app.slices[0].entitlements?.filter { $0.key == protection }
        },
        RuleCase("entitlements-changed") {
            $0.app.slices[0].specialSlots = 5
        } close: {
            $0.app.slices[0].specialSlots = 5
            $0.app.slices[0].hasDER = false
        },
        RuleCase("der-entitlements-missing") {
            $0.app.slices[0].hasDER = false
        } close: {
            $0.app.slices[0].hasXML = false
        },
        RuleCase("der-entitlements-disagree") {
            $0.app.slices[0].derEntitlements = $0.app.slices[0].entitlements
            $0.app.slices[0].derEntitlements?["get-task-allow"] = nil
        } close: {
            $0.app.slices[0].derEntitlements = $0.app.slices[0].entitlements
        },
        RuleCase("entitlement-not-allowed") {
            $0.sign("aps-environment", .string("development"))
        } close: {
            $0.sign("aps-environment", .string("production"))
            $0.allow("aps-environment", .string("production"))
        },
        RuleCase("application-identifier") {
            $0.allow("application-identifier", .string("TESTTEAM01.org.example.ap"))
        } close: {
            $0.allow("application-identifier", .string("TESTTEAM01.org.example.ap*"))
        },
        RuleCase("keychain-group-not-allowed") {
            $0.sign(groups, .array([.string("OTHERTEAM1.org.example.app")]))
        } close: {
            $0.sign(groups, .array([.string("TESTTEAM01.org.example.app"), .string("TESTTEAM01.shared")]))
        },
        RuleCase("keychain-default-group") {
            $0.sign(groups, .array([.string("TESTTEAM01.shared"), .string("TESTTEAM01.org.example.app")]))
        } close: {
            $0.sign(groups, .array([.string("TESTTEAM01.org.example.app"), .string("TESTTEAM01.shared")]))
        },
        RuleCase("data-protection-missing") {
            $0.sign(protection, nil)
        } close: { _ in
        },
        RuleCase("data-protection-class") {
            $0.options.dataProtection = "NSFileProtectionCompleteUnlessOpen"
        } close: {
            $0.options.dataProtection = "NSFileProtectionComplete"
        },
        RuleCase("debuggable", .adHoc) {
            $0.sign("get-task-allow", .boolean(true))
        } close: {
            $0.sign("get-task-allow", .boolean(false))
        },
        RuleCase("not-debuggable", .development) {
            $0.sign("get-task-allow", .boolean(false))
        } close: {
            $0.sign("get-task-allow", .boolean(true))
        },
    ]

    static let shipping: [RuleCase] = [
        RuleCase("profile-missing") {
            $0.app.profile = nil
        } close: { _ in
        },
        RuleCase("profile-unreadable") {
            $0.app.profileBytes = [0x30, 0x03, 0x02, 0x01]
        } close: {
            $0.app.profileBytes = try TestAuthority.bytes("profiles/bare.mobileprovision")
        },
        RuleCase("profile-kind", .adHoc) {
            $0.configuration = .appStore
        } close: {
            $0.configuration = .adHoc
        },
        RuleCase("profile-platform") {
            $0.app.platform = "AppleTVOS"
        } close: {
            $0.app.platform = "WatchOS"
        },
        RuleCase("device-not-listed", .adHoc) {
            $0.options.device = "00008027-001E390401E9802F"
        } close: {
            $0.options.device = ProfileRecipe.device.lowercased()
        },
        RuleCase("nested-identifier") {
            try $0.addPlugIn("org.example.appshare")
        } close: {
            try $0.addPlugIn("org.example.app.share")
        },
        RuleCase("nested-team") {
            try $0.addPlugIn("org.example.app.share") { $0.slices[0].team = "OTHERTEAM1" }
        } close: {
            try $0.addPlugIn("org.example.app.share")
        },
    ]
}
