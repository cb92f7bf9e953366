// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

/// One rule of build settings with values that fire it and close ones that do not.
struct SettingsCase: CustomTestStringConvertible, Sendable {
    let rule: String
    let configuration: String
    let kind: ProfileKind
    let fires: [String: String]
    let close: [String: String]

    init(
        _ rule: String, _ configuration: String = "Release", _ kind: ProfileKind = .appStore, fires: [String: String],
        close: [String: String]
    ) {
        (self.rule, self.configuration, self.kind, self.fires, self.close) = (rule, configuration, kind, fires, close)
    }

    var testDescription: String { rule }

    private static let profile = "PROVISIONING_PROFILE_SPECIFIER"

    static let all = [
        SettingsCase("settings-configuration", fires: ["CONFIGURATION": "Debug"], close: [:]),
        SettingsCase("settings-style", fires: ["CODE_SIGN_STYLE": "Automatic"], close: [:]),
        SettingsCase(
            "settings-profile-missing", fires: [profile: ""],
            close: [profile: "", "CODE_SIGN_STYLE": "Automatic", "CODE_SIGN_IDENTITY": "iPhone Developer"]),
        SettingsCase(
            "settings-profile-unknown", fires: [profile: "Test app-stor"], close: [profile: "TESTTEAM01/Test app-store"]
        ),
        SettingsCase(
            "settings-profile-kind", fires: [profile: "Test ad-hoc"],
            close: [profile: "00000000-0000-4000-8000-0000000000aa"]),
        SettingsCase(
            "settings-identity", fires: ["CODE_SIGN_IDENTITY": "iPhone Developer"],
            close: ["CODE_SIGN_IDENTITY": "iPhone Distribution"]),
        SettingsCase(
            "settings-team", fires: ["DEVELOPMENT_TEAM": "OTHERTEAM1"], close: ["DEVELOPMENT_TEAM": "TESTTEAM01"]),
        SettingsCase(
            "settings-bundle-identifier", fires: ["PRODUCT_BUNDLE_IDENTIFIER": "org.example.other"],
            close: ["PRODUCT_BUNDLE_IDENTIFIER": "org.example.app"]),
        SettingsCase(
            "settings-entitlements", fires: ["CODE_SIGN_ENTITLEMENTS": "missing"],
            close: ["CODE_SIGN_ENTITLEMENTS": "App.entitlements"]),
    ]

    static let clean = [
        "CONFIGURATION": "Release", "CODE_SIGN_STYLE": "Manual", profile: "Test app-store",
        "CODE_SIGN_IDENTITY": "Apple Distribution", "DEVELOPMENT_TEAM": "TESTTEAM01",
        "PRODUCT_BUNDLE_IDENTIFIER": "org.example.app", "CODE_SIGN_ENTITLEMENTS": "App.entitlements",
    ]
}

@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct SettingsRuleTests {
    private func findings(
        _ changes: [String: String],
        signing entitlements: [String: PropertyList] = [
            "com.apple.developer.default-data-protection": .string("NSFileProtectionComplete")
        ],
        expect: [ExpectedProfile] = [ExpectedProfile(configuration: "Release", kind: .appStore)],
        options: CheckOptions = CheckOptions()
    ) throws -> [Finding] {
        try TemporaryFolder.with { folder in
            let values = SettingsCase.clean.merging(changes) { $1 }
            let json = try JSONSerialization.data(withJSONObject: [["target": "App", "buildSettings": values]])
            try json.write(to: URL(filePath: "\(folder)/settings.json"))
            try Data(PropertyList.dictionary(entitlements).xml).write(to: URL(filePath: "\(folder)/App.entitlements"))
            let anchor = try TestAuthority.anchor()
            let library = ProfileLibrary(
                try [ProfileKind.appStore, .adHoc, .development].map { kind in
                    var recipe = try ProfileRecipe(kind)
                    if kind != .appStore { recipe.values["UUID"] = .string(UUID().uuidString) }
                    let read = try UnverifiedProfile(bytes: recipe.bytes())
                    return .init(path: "\(kind).mobileprovision", examined: ExaminedProfile(read, anchor: anchor))
                })
            let settings = try SigningSettings.read(contentsOf: "\(folder)/settings.json")
            return check(settings: settings, expectations: expect, library: library, options: options).findings
        }
    }

    @Test(arguments: SettingsCase.all)
    func `each rule of build settings fires for its case and not for the close one`(rule: SettingsCase) throws {
        let fired = try findings(rule.fires)
        #expect(fired.contains { $0.rule.id == rule.rule }, "found \(fired.map(\.rule.id))")
        let calm = try findings(rule.close)
        #expect(!calm.contains { $0.rule.id == rule.rule })
    }

    @Test func `the entitlements to be signed are compared with the profile chosen, variables replaced`() throws {
        let groups: [String: PropertyList] = [
            "keychain-access-groups": .array([.string("$(AppIdentifierPrefix)org.example.app")]),
            "com.apple.developer.default-data-protection": .string("NSFileProtectionComplete"),
        ]
        #expect(Set(try findings([:], signing: groups).map(\.rule.id)) == ["profile-custom-anchor"])
        let wrong: [String: PropertyList] = [
            "keychain-access-groups": .array([.string("$(TEAM).shared")]), "aps-environment": .string("production"),
        ]
        let rules = Set(try findings(["TEAM": "OTHERTEAM1"], signing: wrong).map(\.rule.id))
        let expected: Set = ["keychain-group-not-allowed", "entitlement-not-allowed", "data-protection-missing"]
        #expect(rules.isSuperset(of: expected))
    }

    private static let noProfile = ["PROVISIONING_PROFILE_SPECIFIER": "", "CODE_SIGN_ENTITLEMENTS": ""]

    // Rule: the Mac's software needs a profile for restricted entitlements alone | one asked for on each SDK | the
    //   first expectation
    @Test func `on the Mac no profile and no certificate are enough, where the entitlements need none`() throws {
        let mac = Self.noProfile.merging(["PLATFORM_NAME": "macosx"]) { $1 }
        #expect(try findings(mac).isEmpty)
        #expect(try findings(mac.merging(["CODE_SIGN_IDENTITY": "-"]) { $1 }).isEmpty)
        let file = ["CODE_SIGN_ENTITLEMENTS": "App.entitlements"]
        let sandboxed: [String: PropertyList] = [
            "com.apple.security.app-sandbox": .boolean(true),
            "com.apple.security.application-groups": .array([.string("$(TeamIdentifierPrefix)group")]),
        ]
        #expect(try findings(mac.merging(file) { $1 }, signing: sandboxed).isEmpty)
        let restricted: [String: PropertyList] = ["com.apple.developer.icloud-services": .array([.string("CloudKit")])]
        let needed = try findings(mac.merging(file) { $1 }, signing: restricted)
        #expect(needed.map(\.rule.id) == ["settings-profile-missing"])
        for sdk in ["iphoneos", "watchos", "appletvos", "xros", ""] {
            let found = try findings(Self.noProfile.merging(["PLATFORM_NAME": sdk]) { $1 })
            #expect(found.map(\.rule.id) == ["settings-profile-missing"], "\(sdk)")
        }
    }

    // Rule: to sign without a certificate is no distribution | `-` counted as one | the first expectation
    @Test func `automatic signing without a certificate is fine, with one for distribution it is not`() throws {
        let automatic = Self.noProfile.merging(["CODE_SIGN_STYLE": "Automatic", "CODE_SIGN_IDENTITY": "-"]) { $1 }
        for sdk in ["iphoneos", "macosx"] {
            #expect(try findings(automatic.merging(["PLATFORM_NAME": sdk]) { $1 }).isEmpty)
        }
        let distribution = automatic.merging(["CODE_SIGN_IDENTITY": "Developer ID Application"]) { $1 }
        #expect(try findings(distribution).map(\.rule.id) == ["settings-style"])
        // On a device it takes a profile with a certificate, unless a setting says otherwise.
        let manual = Self.noProfile.merging(["CODE_SIGN_IDENTITY": "-", "PLATFORM_NAME": "iphoneos"]) { $1 }
        #expect(Set(try findings(manual).map(\.rule.id)) == ["settings-profile-missing", "settings-identity"])
        #expect(try findings(manual.merging(["AD_HOC_CODE_SIGNING_ALLOWED": "YES"]) { $1 }).isEmpty)
    }

    @Test func `what is not signed is not judged`() throws {
        #expect(try findings(Self.noProfile.merging(["CODE_SIGNING_ALLOWED": "NO"]) { $1 }).isEmpty)
        let none = ["CODE_SIGNING_REQUIRED": "NO", "CODE_SIGN_IDENTITY": ""]
        #expect(try findings(Self.noProfile.merging(none) { $1 }).isEmpty)
    }

    @Test func `an entitlements file is asked for only where a class of data protection is wanted`() throws {
        let without = ["CODE_SIGN_ENTITLEMENTS": ""]
        #expect(try findings(without).map(\.rule.id) == ["profile-custom-anchor"])
        let options = CheckOptions(dataProtection: "NSFileProtectionComplete")
        #expect(try findings(without, options: options).contains { $0.rule.id == "settings-entitlements" })
        let mac = Self.noProfile.merging(["PLATFORM_NAME": "macosx"]) { $1 }
        #expect(try findings(mac, options: options).isEmpty)
        let made = ["CODE_SIGN_ENTITLEMENTS": "missing", "CODE_SIGN_ALLOW_ENTITLEMENTS_MODIFICATION": "YES"]
        #expect(!(try findings(made).contains { $0.rule.id == "settings-entitlements" }))
    }

    /// Configuration, profile, identity, and what is found besides the test authority.
    private static let derived: [(String, String, String, Set<String>)] = [
        ("Debug", "Test development", "Apple Development", []),
        ("Debug", "Test app-store", "Apple Distribution", ["settings-profile-kind"]),
        ("Debug", "Test app-store", "Apple Development", ["settings-profile-kind", "settings-identity"]),
        ("Release", "Test app-store", "Apple Distribution", []), ("Release", "Test ad-hoc", "Apple Distribution", []),
        ("Release", "Test development", "Apple Development", []),
        ("Ad Hoc", "Test app-store", "Apple Distribution", ["settings-profile-kind"]),
        ("AppStore", "Test app-store", "iPhone Distribution", []),
        ("Nightly", "Test development", "Apple Development", []),
        (
            "Release", "match Development org.example.app", "iPhone Developer", ["settings-profile-unknown"]
        ),
        (
            "Release", "match AppStore org.example.app", "iPhone Developer",
            ["settings-identity", "settings-profile-unknown"]
        ),
        ("Release", "match AppStore org.example.app", "iPhone Distribution: Example", ["settings-profile-unknown"]),
    ]

    // Rule: without expectations a configuration's name says what fits | nothing checked without expectations | the
    //   cases with findings
    @Test(arguments: derived)
    func `without expectations what fits follows from the configuration's name and the profile chosen`(
        configuration: String, profile: String, identity: String, rules: Set<String>
    ) throws {
        let changes = [
            "CONFIGURATION": configuration, "PROVISIONING_PROFILE_SPECIFIER": profile, "CODE_SIGN_IDENTITY": identity,
        ]
        let found = Set(try findings(changes, expect: []).map(\.rule.id)).subtracting(["profile-custom-anchor"])
        #expect(found == rules)
    }

    @Test func `references in entitlements are replaced as in settings`() throws {
        let groups: [String: PropertyList] = [
            "keychain-access-groups": .array([.string("$(AppIdentifierPrefix)org.example.app$(SUFFIX)")]),
            "com.apple.developer.default-data-protection": .string("NSFileProtectionComplete"),
        ]
        #expect(Set(try findings([:], signing: groups).map(\.rule.id)) == ["profile-custom-anchor"])
    }

    @Test func `clean settings find nothing but the test authority`() throws {
        #expect(Set(try findings([:]).map(\.rule.id)) == ["profile-custom-anchor"])
    }

    @Test func `Xcode's template, automatic with iPhone Developer in Release, is fine`() throws {
        let template = [
            "CODE_SIGN_STYLE": "Automatic", "PROVISIONING_PROFILE_SPECIFIER": "",
            "CODE_SIGN_IDENTITY": "iPhone Developer",
        ]
        #expect(try findings(template).isEmpty)
    }

    @Test(arguments: [
        ("Debug=development", "Debug", ProfileKind.development), ("Ad Hoc=ad-hoc", "Ad Hoc", .adHoc),
        ("Release=AppStore", "Release", .appStore),
    ])
    func `expectations are read from their text`(text: String, configuration: String, kind: ProfileKind) {
        #expect(ExpectedProfile(text) == ExpectedProfile(configuration: configuration, kind: kind))
    }

    @Test(arguments: ["Debug", "=development", "Debug=nothing", ""])
    func `expectations of another form are refused`(text: String) { #expect(ExpectedProfile(text) == nil) }
}
