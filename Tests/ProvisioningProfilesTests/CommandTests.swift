// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

/// The command as a process.
enum ProfilesCommand {
    /// `$ZAMOK_BINARY`, else beside the test bundle, where the package manager builds it.
    static let path: String = {
        if let path = ProcessInfo.processInfo.environment["ZAMOK_BINARY"], !path.isEmpty { return path }
        let arguments = CommandLine.arguments
        let bundle = Bundle.allBundles.map(\.bundlePath) + arguments
        let folders = bundle.map { URL(filePath: $0).deletingLastPathComponent().path }
        let built = folders.map { "\($0)/zamok" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        return built ?? FileManager.default.currentDirectoryPath + "/.build/debug/zamok"
    }()

    static func run(_ arguments: [String], home: String = "/nonexistent") throws -> ShellCommand.Outcome {
        try ShellCommand.run(path, ["profiles"] + arguments, environment: ["HOME": home, "PATH": "/usr/bin:/bin"])
    }
}

@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct CommandTests {
    private func roots() throws -> [String] { ["--custom-anchor", try TestAuthority.path("roots.pem")] }
    private func profile(_ name: String) throws -> String { try TestAuthority.path("profiles/\(name).mobileprovision") }

    // Rule: devices and people are shortened | devices of up to 80 characters printed whole | also "JSON is shortened
    //   in the same way", "its page shows what show prints"
    @Test func `show prints one profile in full and shortens devices and people`() throws {
        let short = try ProfilesCommand.run(["show", profile("ad-hoc")] + roots())
        #expect(short.status == 0)
        #expect(short.output.contains("kind          ad hoc"))
        #expect(short.output.contains("0000…802E"))
        #expect(short.output.contains("Apple Distribution: J… D… (TESTTEAM01)"))
        #expect(!short.output.contains("Jane") && !short.output.contains("00008027-001E390401E9802E"))
        let full = try ProfilesCommand.run(["show", "--full", profile("ad-hoc")] + roots())
        #expect(full.output.contains("Jane Doe") && full.output.contains("00008027-001E390401E9802E"))
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `each command of the page on its use about profiles runs, in its order`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "Documentation/Use.md"), encoding: .utf8)
        let commands = page.split(separator: "\n").filter { $0.hasPrefix("zamok profiles ") }
        #expect(commands.count == 4)
        try TemporaryFolder.with { folder in
            let files = FileManager.default
            try files.copyItem(atPath: try profile("ad-hoc"), toPath: "\(folder)/App.mobileprovision")
            for path in ["Signing", "App.xcodeproj", "Config"] {
                try files.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
            }
            for name in ["development", "store"] {
                try files.copyItem(atPath: try profile(name), toPath: "\(folder)/Signing/\(name).mobileprovision")
            }
            try Data(ProjectText.text.utf8).write(to: URL(filePath: "\(folder)/App.xcodeproj/project.pbxproj"))
            try Data("DEVELOPMENT_TEAM = TESTTEAM01\n".utf8)
                .write(to: URL(filePath: "\(folder)/Config/Release.xcconfig"))
            try Data(try AppRecipe(.appStore).archive().bytes()).write(to: URL(filePath: "\(folder)/App.ipa"))
            for command in commands {
                let words = command.split(separator: " ").dropFirst(2).map { word in
                    files.fileExists(atPath: "\(folder)/\(word)") ? "\(folder)/\(word)" : String(word)
                }
                let ended = try ProfilesCommand.run(words + roots())
                // Profiles of a test authority are findings; what can't be read or isn't understood would be more.
                #expect(ended.status == (words[0] == "show" ? 0 : 1), "\(command): \(ended.output)")
            }
        }
    }

    @Test func `its page shows what show prints`() throws {
        let page = Self.root.appending(path: "Documentation/ProvisioningProfiles.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let rest = try #require(text.split(separator: "<!-- profiles:").dropFirst().first)
        let block = try #require(rest.split(separator: "```\n").dropFirst().first)
        func settled(_ text: some StringProtocol) -> [String] {
            text.split(separator: "\n").map { line in
                String(line).replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}/, with: "DAY").replacing(
                    /[0-9]+ days/, with: "N days"
                )
                .replacing(/\s[^\s]*profiles\/ad-hoc/, with: " ad-hoc")
            }
        }
        let shown = try ProfilesCommand.run(["show", profile("ad-hoc")] + roots())
        #expect(settled(shown.output) == settled(block))
    }

    @Test func `JSON is shortened in the same way`() throws {
        let short = try ProfilesCommand.run(["show", "--json", profile("ad-hoc")] + roots()).output
        #expect(!short.contains("Jane") && !short.contains("001E390401E9802E"))
        let full = try ProfilesCommand.run(["show", "--json", "--full", profile("ad-hoc")] + roots()).output
        let document = try #require(try JSONSerialization.jsonObject(with: Data(full.utf8)) as? [String: Any])
        #expect(document["version"] as? Int == 1)
        let record = try #require((document["profiles"] as? [[String: Any]])?.first)
        #expect(record["kind"] as? String == "ad-hoc")
        #expect(record["trust"] as? String == "custom")
        #expect(record["devices"] as? [String] == ["00008027-001E390401E9802E"])
    }

    // Rule: findings are status 1 | status 0 | also "exit status is 0 when a real profile is clean", "check reads apps,
    //   and a project needs expectations"
    @Test func `exit status is 1 for findings and 2 for what can't be read`() throws {
        // Without the anchor nothing of the test authority verifies.
        let findings = try ProfilesCommand.run(["verify", profile("store")])
        #expect(findings.status == 1)
        #expect(findings.output.contains("wrong-root"))
        let unread = try ProfilesCommand.run(["verify", profile("store"), "/nonexistent/x.mobileprovision"])
        #expect(unread.status == 2)
        #expect(unread.output.contains("1 not read"))
        #expect(try ProfilesCommand.run(["verify"]).status == 64)
        #expect(try ProfilesCommand.run(["check", "x", "--configuration", "Nothing"]).status == 64)
        #expect(try ProfilesCommand.run(["verify", profile("store"), "--custom-anchor", "/nonexistent"]).status == 2)
    }

    @Test(.enabled(if: Samples.isAvailable, Samples.missing))
    func `exit status is 0 when a real profile is clean`() throws {
        let store = try Samples.path("store-2015.mobileprovision")
        let then = try ProfilesCommand.run(["verify", store, "--at", "2015-12-01"])
        #expect(then.status == 0)
        #expect(then.output.contains("Apple"))
        let now = try ProfilesCommand.run(["verify", store])
        #expect(now.status == 1)
        #expect(now.output.contains("EXPIRED"))
        let soon = try ProfilesCommand.run(["verify", store, "--at", "2016-10-20", "--warn-days", "30"])
        #expect(soon.status == 1)
        #expect(try ProfilesCommand.run(["verify", store, "--at", "2016-10-20", "--warn-days", "10"]).status == 0)
    }

    @Test func `a profile without a list of devices lists no device`() throws {
        let device = ["--device", "00008027-001E390401E9802E"]
        #expect(
            try ProfilesCommand.run(["verify", profile("store")] + device + roots()).output.contains(
                "no list of devices"))
        let listed = try ProfilesCommand.run(["verify", profile("ad-hoc")] + device + roots())
        #expect(!listed.output.contains("device-not-listed"))
    }

    @Test func `a profile at hand that can't be read is told, and once`() throws {
        try TemporaryFolder.with { folder in
            let files = FileManager.default
            try files.createDirectory(atPath: "\(folder)/Signing", withIntermediateDirectories: true)
            try Data(Data(contentsOf: URL(filePath: try profile("store"))).prefix(1000))
                .write(to: URL(filePath: "\(folder)/Signing/mine.mobileprovision"))
            for name in ["a", "b"] {
                try Data("CODE_SIGN_STYLE = Manual\nPROVISIONING_PROFILE_SPECIFIER = X\n".utf8)
                    .write(to: URL(filePath: "\(folder)/\(name).xcconfig"))
            }
            let check = ["check", "\(folder)/a.xcconfig", "\(folder)/b.xcconfig", "--expect", "Release=app-store"]
            let outcome = try ProfilesCommand.run(check + ["--profiles", "\(folder)/Signing"])
            #expect(outcome.status == 2)
            #expect(
                outcome.output.components(separatedBy: "not read: \(folder)/Signing/mine.mobileprovision").count == 2)
            #expect(try ProfilesCommand.run(check + ["--profiles", "\(folder)/none"]).status == 2)
            // Without a profile to compare with, nothing was found out: neither a finding nor an all-clear.
            let bare = try ProfilesCommand.run(check)
            #expect(bare.status == 2 && bare.output.contains("none to compare with"))
        }
    }

    @Test func `a folder is verified as a whole and shown as a table`() throws {
        let outcome = try ProfilesCommand.run(["show", TestAuthority.path("profiles")] + roots())
        #expect(outcome.output.hasPrefix("NAME"))
        #expect(outcome.output.contains("UNSIGNED"))
        #expect(outcome.status == 2)
    }

    @Test func `check reads apps, and projects with expectations or without`() throws {
        try TemporaryFolder.with { folder in
            let app = try AppRecipe(.adHoc).write(into: folder)
            let good = try ProfilesCommand.run(["check", app, "--configuration", "AdHoc"] + roots())
            #expect(good.status == 1)
            #expect(good.output.contains("2 warnings."))
            #expect(good.output.contains("not checked: the hashes of code pages"))
            let bad = try ProfilesCommand.run(["check", app, "--configuration", "Release"] + roots())
            #expect(bad.output.contains("profile-kind"))
            try Data(ProjectText.text.utf8).write(to: URL(filePath: "\(folder)/project.pbxproj"))
            let project = try ProfilesCommand.run(["check", "\(folder)/project.pbxproj"])
            // It names profiles, and none is at hand.
            #expect(project.status == 2)
            #expect(project.output.contains("Release.xcconfig, which is not there"))
        }
    }

    // Rule: nothing examined is status 2 | the finding of nothing left out | status 0 and "No findings."
    @Test func `where there is nothing to examine the answer is no clean one`() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/Signing", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                atPath: "\(folder)/App.xcarchive/Products/Applications", withIntermediateDirectories: true)
            for verb in ["verify", "check", "show"] {
                for path in ["Signing", "App.xcarchive"] {
                    let outcome = try ProfilesCommand.run([verb, "\(folder)/\(path)"])
                    #expect(outcome.status == 2, "\(verb) \(path)")
                    #expect(outcome.output.contains("has no profile and no app (nothing-there)"))
                    #expect(!outcome.output.contains("No findings."))
                }
            }
            let sarif = try ProfilesCommand.run(["verify", "--sarif", "\(folder)/Signing"])
            #expect(sarif.status == 2 && sarif.output.contains("\"executionSuccessful\": false"))
            let library = ProjectText.project([:], [:], product: "framework")
            try Data(library.utf8).write(to: URL(filePath: "\(folder)/project.pbxproj"))
            let check = try ProfilesCommand.run(["check", "\(folder)/project.pbxproj", "--expect", "Release=app-store"])
            #expect(check.status == 2)
            #expect(check.output.contains("has no app and no extension"))
            try Data("[]".utf8).write(to: URL(filePath: "\(folder)/settings.json"))
            #expect(try ProfilesCommand.run(["check", "\(folder)/settings.json"]).status == 2)
            var bare = try AppRecipe(.appStore)
            bare.profile = nil
            let verify = try ProfilesCommand.run(["verify", try bare.write(into: folder)])
            #expect(verify.status == 2)
            #expect(verify.output.contains("has no embedded profile"))
        }
    }

    // Rule: only profiles that Apple signed are installed | verification skipped
    @Test func `list finds both folders of Xcode, install puts a profile there by its UUID`() throws {
        try TemporaryFolder.with { home in
            #expect(try ProfilesCommand.run(["list"], home: home).output == "No profiles in Xcode's folders.\n")
            let refused = try ProfilesCommand.run(["install", profile("store")], home: home)
            #expect(refused.status == 2)
            #expect(refused.errors.contains("root") && refused.errors.contains("--allow-unverified"))
            #expect(refused.errors.contains(try profile("store")) && refused.output.isEmpty)
            let installed = try ProfilesCommand.run(["install", "--allow-unverified", profile("store")], home: home)
            let name =
                "Library/Developer/Xcode/UserData/Provisioning Profiles/00000000-0000-4000-8000-000000000003.mobileprovision"
            #expect(installed.output == "\(home)/\(name)\n")
            #expect(
                try Data(contentsOf: URL(filePath: "\(home)/\(name)"))
                    == Data(contentsOf: URL(filePath: profile("store"))))
            let old = "\(home)/Library/MobileDevice/Provisioning Profiles"
            _ = try ProfilesCommand.run(
                ["install", "--allow-unverified", "--folder", old, profile("mac-store")], home: home)
            #expect(
                FileManager.default.fileExists(atPath: "\(old)/00000000-0000-4000-8000-000000000006.provisionprofile"))
            let list = try ProfilesCommand.run(["list"] + roots(), home: home)
            #expect(list.status == 0)
            #expect(list.output.split(separator: "\n").count == 3)
        }
    }

    @Test func `show tells how an app and its extensions are signed`() throws {
        try TemporaryFolder.with { folder in
            var recipe = try AppRecipe(.appStore)
            recipe.nested = [try AppRecipe(.appStore, bundleIdentifier: "org.example.app.share")]
            recipe.nested[0].name = "Share.appex"
            recipe.nested[0].slices[0].signer = nil
            let archive = "\(folder)/App.xcarchive/Products/Applications"
            _ = try recipe.write(into: archive)
            let text = try ProfilesCommand.run(["show", "\(folder)/App.xcarchive"] + roots())
            #expect(text.status == 0)
            #expect(text.output.contains("Apple Distribution: J… D…"))
            let json = try ProfilesCommand.run(["show", "--json", "\(archive)/Test.app"] + roots()).output
            let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let apps = try #require(document["apps"] as? [[String: Any]])
            #expect(apps.compactMap { $0["signature"] as? String } == ["custom", "ad-hoc"])
            #expect(
                apps.compactMap { $0["bundleIdentifier"] as? String } == ["org.example.app", "org.example.app.share"])
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script is not installed"))
    func `lines are broken for a terminal, and are whole in a pipe`() throws {
        let command = try "stty columns 80; '\(ProfilesCommand.path)' profiles show '\(TestAuthority.path("profiles"))'"
        let terminal = try ShellCommand.run("/usr/bin/script", ["-qec", command, "/dev/null"])
        let lines = terminal.output.split(whereSeparator: \.isNewline)
        #expect(lines.count > 60)
        #expect(lines.allSatisfy { $0.count <= 80 || !$0.dropFirst(4).contains(" ") }, "\(terminal.output)")
        let pipe = try ProfilesCommand.run(["show", TestAuthority.path("profiles")]).output.split(separator: "\n")
        #expect(pipe.contains { $0.hasPrefix("Test store") && $0.hasSuffix("store.mobileprovision") })
    }

    // Rule: text from outside can't steer the terminal | tables not escaped | the tables were added to it for this
    @Test func `names from outside can't steer a terminal`() throws {
        try TemporaryFolder.with { folder in
            var recipe = try ProfileRecipe(.adHoc)
            recipe.values["Name"] = .string("red\u{9B}31m\u{202E}gnp")
            try Data(recipe.bytes()).write(to: URL(filePath: "\(folder)/x.mobileprovision"))
            for words in [["show", "\(folder)/x.mobileprovision"], ["show", folder], ["verify", folder]] {
                let outcome = try ProfilesCommand.run(words)
                #expect(outcome.output.contains("red\\u{9b}31m\\u{202e}gnp"), "\(words)")
            }
        }
    }
}
