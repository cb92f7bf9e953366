// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct RuleTests {
    /// What every scenario shows because it is signed by a test authority.
    private static let always: Set = ["profile-custom-anchor", "code-custom-anchor"]

    @Test(arguments: RuleCase.all)
    func `each rule fires for its case and not for the close one`(rule: RuleCase) throws {
        var firing = try Scenario(rule.kind)
        try rule.fires(&firing)
        let fired = try firing.findings()
        let finding = try #require(fired.first { $0.rule.id == rule.rule }, "found \(fired.map(\.rule.id))")
        #expect(!finding.reason.isEmpty)
        #expect(finding.place.path.contains("Test.app"))
        var close = try Scenario(rule.kind)
        try rule.close(&close)
        let calm = try close.findings()
        #expect(!calm.contains { $0.rule.id == rule.rule }, "\(calm.filter { $0.rule.id == rule.rule })")
    }

    @Test(arguments: ProfileKind.allCases)
    func `a clean app of every kind has no findings`(kind: ProfileKind) throws {
        let scenario = try Scenario(kind, platform: kind == .developerID ? "MacOSX" : "iPhoneOS")
        let rules = Set(try scenario.findings().map(\.rule.id))
        #expect(rules == Self.always)
    }

    @Test func `every rule of the catalogue has a case here or among the build settings`() {
        let tested = Set(RuleCase.all.map(\.rule)).union(SettingsCase.all.map(\.rule)).union(SettingsDialectTests.rules)
        #expect(Set(Rule.all.map(\.id)) == tested)
    }

    @Test func `an extension is checked as its app is`() throws {
        var scenario = try Scenario(.appStore)
        try scenario.addPlugIn("org.example.app.share") {
            $0.slices[0].entitlements?["get-task-allow"] = .boolean(true)
            $0.profile?.values["ExpirationDate"] = .date(ProfileRecipe.wholeSeconds(.now - 60))
        }
        let findings = try scenario.findings().filter { $0.place.path.contains("Share.appex") }
        let rules = Set(findings.map(\.rule.id))
        #expect(rules.isSuperset(of: ["debuggable", "profile-expired", "entitlement-not-allowed"]))
        #expect(try scenario.findings().filter { $0.severity == .error }.allSatisfy { $0.place.path.contains("Share") })
    }

    @Test func `a profile that is given replaces the embedded one`() throws {
        let scenario = try Scenario(.appStore)
        let given = try UnverifiedProfile(bytes: ProfileRecipe(.adHoc).bytes())
        let examined = ExaminedProfile(given, anchor: scenario.options.anchor)
        let report = check(
            app: try scenario.app.read(), profile: ("given", examined), configuration: .appStore,
            options: scenario.options)
        #expect(report.findings.contains { $0.rule.id == "profile-kind" })
        #expect(!report.isClean)
    }

    @Test func `a Mac app without restricted entitlements needs no profile`() throws {
        var scenario = try Scenario(.developerID, platform: "MacOSX")
        scenario.app.profile = nil
        scenario.app.slices[0].entitlements = ["com.apple.security.app-sandbox": .boolean(true)]
        #expect(Set(try scenario.findings().map(\.rule.id)) == ["code-custom-anchor"])
        scenario.sign("com.apple.developer.aps-environment", .string("production"))
        #expect(try scenario.findings().contains { $0.rule.id == "profile-missing" })
    }

    // Rule: a pattern's `*` matches one character at least | for none too | `T.` under `T.*`
    @Test(arguments: [
        (PropertyList.string("T.a"), PropertyList.string("T.a"), true), (.string("T.a"), .string("T.*"), true),
        (.string("T."), .string("T.*"), false), (.string("T.*"), .string("T.*"), true),
        (.string("T.a*"), .string("T.*"), false),
        (.string("U.a"), .string("T.*"), false), (.string("x"), .string("*"), true),
        (.array([.string("x")]), .string("*"), true),
        (.array([.string("T.a"), .string("T.b")]), .array([.string("T.*")]), true),
        (.array([.string("T.a"), .string("U.b")]), .array([.string("T.*")]), false),
        (.string("b"), .array([.string("a"), .string("b")]), true), (.string("c"), .array([.string("a")]), false),
        (.array([]), .array([]), true), (.boolean(false), .boolean(true), true),
        (.boolean(true), .boolean(false), false),
        (.integer(1), .integer(1), true), (.integer(1), .integer(2), false), (.integer(1), .string("1"), false),
        (.dictionary(["a": .string("x")]), .dictionary(["a": .string("*")]), true),
        (.dictionary(["b": .string("x")]), .dictionary(["a": .string("*")]), false),
    ])
    func `what a profile allows`(signed: PropertyList, allowed: PropertyList, isAllowed: Bool) throws {
        var scenario = try Scenario(.appStore)
        scenario.sign("com.example.test", signed)
        scenario.allow("com.example.test", allowed)
        let found = try scenario.findings().contains { $0.rule.id == "entitlement-not-allowed" }
        #expect(found == !isAllowed)
    }
}
