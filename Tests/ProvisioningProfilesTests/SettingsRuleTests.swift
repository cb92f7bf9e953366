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
        expect: ExpectedProfile = ExpectedProfile(configuration: "Release", kind: .appStore)
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
            return check(settings: settings, expectations: [expect], library: library).findings
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
