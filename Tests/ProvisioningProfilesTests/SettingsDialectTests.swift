// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

/// What `X` comes to in the target App, by the rules of Xcode's build system.
struct DialectCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The file that the target is based on, `Config/a.xcconfig`, and others beside it.
    let files: [String: String]
    /// The project's own settings and the target's.
    let project: [String: String]
    let target: [String: String]
    let sdk: String
    let value: String

    init(
        _ name: String, _ text: String = "", files: [String: String] = [:], project: [String: String] = [:],
        target: [String: String] = [:], sdk: String = "iphoneos", is value: String
    ) {
        testDescription = name
        self.files = files.merging(["a.xcconfig": text]) { $1 }
        (self.project, self.target, self.sdk, self.value) = (project, target, sdk, value)
    }
}

extension DialectCase {
    static let lines = [
        DialectCase("spaces round name and value do not count", "  X\t =  a b  ", is: "a b"),
        DialectCase("a comment ends at the line's end", "X = a // b = c", is: "a"),
        DialectCase("a comment needs no space", "X = https://example.org", is: "https:"),
        DialectCase("a semicolon at the end is dropped", "X = a;", is: "a"),
        DialectCase("with the spaces before it, and one alone", "X = a;; ;", is: "a;;"),
        DialectCase("a semicolon before a comment too", "X = a ; // b", is: "a"),
        DialectCase("quotes are part of the value", "X = \"a b\"", is: "\"a b\""),
        DialectCase("a value may hold an equals sign", "X = a=b", is: "a=b"),
        DialectCase("an empty value replaces one before", "X = a\nX =", is: ""),
        DialectCase("the last assignment counts", "X = a\nX = b", is: "b"),
        DialectCase("a backslash goes on in the next line", "X = a \\\n  b \\\n c\nY = d", is: "a b c"),
        DialectCase("lines end as on old Macs, on Windows and on Unix", "X = a\rY = b\r\nX = $(X)$(Y)\n", is: "ab"),
        DialectCase("a byte order mark is no letter", "\u{FEFF}X = a", is: "a"),
        DialectCase("what is no setting is left out", "%%%\nX = a\n[sdk=*] = b", is: "a"),
    ]

    static let references = [
        DialectCase("parentheses, braces, brackets and none", "Y = a\nX = $(Y)${Y}$[Y]$Y", is: "aaaa"),
        DialectCase("what nothing defines is empty", "X = a$(NOTHING)b", is: "ab"),
        DialectCase("but a bare name stays", "X = a$NOTHING b", is: "a$NOTHING b"),
        DialectCase("two dollars are one", "Y = a\nX = $$(Y)", is: "$(Y)"),
        DialectCase("a dollar before anything else stays", "X = 5$ $% $", is: "5$ $% $"),
        DialectCase("order does not matter to references", "X = $(Y)\nY = a\nY = b", is: "b"),
        DialectCase("a name may be made of others", "Y_B = a\nZ = B\nX = $(Y_$(Z))", is: "a"),
        DialectCase("three deep", "A_B_C = a\nB_C = B_C\nC = C\nX = $(A_$(B_$(C)))", is: "a"),
        DialectCase("a default for what is not defined", "X = $(Y:default=b)", is: "b"),
        DialectCase("a default for what is empty", "Y =\nX = $(Y:default=b)", is: "b"),
        DialectCase("no default for what has a value", "Y = a\nX = $(Y:default=b)", is: "a"),
        DialectCase("an empty default", "X = a$(Y:default=)b", is: "ab"),
        DialectCase("a default with a reference inside", "Z = c\nX = $(Y:default=$(Z)d)", is: "cd"),
        DialectCase("a default inside a name", "Y_NO = a\nX = $(Y_$(PAID:default=NO))", is: "a"),
        DialectCase("a default after another operator", "X = $(Y:upper:default=b)", is: "b"),
        DialectCase("letters", "Y = aB\nX = $(Y:lower) $(Y:upper)", is: "ab AB"),
        DialectCase(
            "identifiers", "Y = 1 a_b-c.d\nX = $(Y:rfc1034identifier) $(Y:c99extidentifier)", is: "--a-b-c-d __a_b_c_d"),
        DialectCase("parts of a path", "Y = a/b.c\nX = $(Y:dir) $(Y:file) $(Y:base) $(Y:suffix)", is: "a/ b.c b .c"),
        DialectCase(
            "another part of a path", "Y = a/b.c\nX = $(Y:dir=d) $(Y:base=e) $(Y:suffix=.f)", is: "d/b.c a/e.c a/b.f"),
        DialectCase(
            "a path set right", "Y = /a/./b/../c\nZ = a/../c/\nX = $(Y:standardizepath) $(Z:standardizepath)",
            is: "/a/c a/../c"),
        DialectCase("the opposite of YES", "Y = YES\nZ = a\nX = $(Y:not) $(Z:not)", is: "NO YES"),
        DialectCase("settings that mean each other end", "X = a$(Y)\nY = b$(X)", is: "ab"),
    ]

    static let levels = [
        DialectCase("the target's own over its file", "X = a", target: ["X": "b"], is: "b"),
        DialectCase("the target's file over the project", "X = a", project: ["X": "b"], is: "a"),
        DialectCase(
            "inherited through each level", "X = $(inherited) b", project: ["X": "a"], target: ["X": "$(inherited) c"],
            is: "a b c"),
        DialectCase("inherited in one file means the line before", "X = a\nX = $(inherited)b", is: "ab"),
        DialectCase("a setting in its own value is inherited too", "X = $(X)b", project: ["X": "a"], is: "ab"),
        DialectCase(
            "inherited belongs to the setting it stands in", "Y = $(inherited)b\nX = $(Y)c",
            project: ["X": "x", "Y": "a"], is: "abc"),
        DialectCase("nothing to inherit is empty", "X = $(inherited)a", is: "a"),
        DialectCase("the last value of a reference, from any level", "X = $(Y)", target: ["Y": "b"], is: "b"),
    ]

    static let conditions = [
        DialectCase("by SDK", "X = a\nX[sdk=iphoneos*] = b\nX[sdk=macosx*] = c", is: "b"),
        DialectCase(
            "by the other SDK of the same target", "X = a\nX[sdk=iphoneos*] = b\nX[sdk=macosx*] = c", sdk: "macosx",
            is: "c"),
        DialectCase(
            "in a file the last that holds counts, with a condition or not", "X[sdk=iphoneos*] = b\nX = a", is: "a"),
        DialectCase(
            "in a project one with a condition counts more", target: ["X": "a", "X[sdk=iphoneos*]": "b"], is: "b"),
        DialectCase(
            "the target over the project's condition", project: ["X[sdk=iphoneos*]": "b"], target: ["X": "a"], is: "a"),
        DialectCase(
            "inherited goes to what holds", "X = a\nX[sdk=macosx*] = b\nX[sdk=iphoneos*] = $(inherited)c", is: "ac"),
        DialectCase("a simulator is no device", "X = a\nX[sdk=iphonesimulator*] = b", is: "a"),
        DialectCase("by configuration", "X = a\nX[config=Release] = b\nX[config=Debug] = c", is: "b"),
        DialectCase("by a part of the configuration's name", "X = a\nX[config=Rel*] = b", is: "b"),
        DialectCase(
            "several, all of which must hold",
            "X = a\nX[sdk=iphoneos*][config=Release] = b\nX[sdk=iphoneos*][config=Debug] = c", is: "b"),
        DialectCase("signing knows no architecture", "X = a\nX[arch=arm64] = b\nX[arch=*] = $(inherited)c", is: "ac"),
        DialectCase("every SDK", "X = a\nX[sdk=*] = b", sdk: "macosx", is: "b"),
    ]

    static let includes = [
        DialectCase(
            "an include counts where it stands", "X = a\n#include \"b.xcconfig\"\nY = c",
            files: ["b.xcconfig": "X = b\nY = d"], is: "b"),
        DialectCase(
            "what follows it counts more", "#include \"b.xcconfig\"\nX = a", files: ["b.xcconfig": "X = b"], is: "a"),
        DialectCase(
            "from its own folder", "#include \"c/b.xcconfig\"",
            files: ["c/b.xcconfig": "#include \"d.xcconfig\"", "c/d.xcconfig": "X = d"], is: "d"),
        DialectCase(
            "from the folder of who included it", "#include \"c/b.xcconfig\"",
            files: ["c/b.xcconfig": "#include \"d.xcconfig\"", "d.xcconfig": "X = d"], is: "d"),
        DialectCase("without the extension", "#include \"b\"", files: ["b.xcconfig": "X = b"], is: "b"),
        DialectCase("with other capitals", "#include \"B.XCCONFIG\"", files: ["b.xcconfig": "X = b"], is: "b"),
        DialectCase("one that may be missing", "X = a\n#include? \"b.xcconfig\"", is: "a"),
        DialectCase(
            "one that is there all the same", "X = a\n#include? \"b.xcconfig\"", files: ["b.xcconfig": "X = b"], is: "b"
        ),
        DialectCase("a missing one stops nothing", "X = a\n#include \"b.xcconfig\"\nX = c", is: "c"),
        DialectCase(
            "twice is read twice", "#include \"b.xcconfig\"\nX = a\n#include \"b.xcconfig\"",
            files: ["b.xcconfig": "X = b"], is: "b"),
        DialectCase(
            "a circle is left out", "#include \"b.xcconfig\"\nX = $(X)a",
            files: ["b.xcconfig": "#include \"a.xcconfig\"\nX = b"], is: "ba"),
    ]

    static let given = [
        DialectCase(
            "names of target, project and configuration",
            "X = $(TARGET_NAME) $(PRODUCT_NAME) $(PROJECT_NAME) $(CONFIGURATION)", is: "App App App Release"),
        DialectCase("the platform", "X = $(PLATFORM_NAME)$(EFFECTIVE_PLATFORM_NAME)", is: "iphoneos-iphoneos"),
    ]

    static let all = lines + references + levels + conditions + includes + given
}

/// Values by the rules of Xcode's build system (swift-build: MacroConfigFileParser, MacroExpressionParsing,
/// MacroEvaluationScope).
struct SettingsDialectTests {
    /// Those of the files themselves.
    static let rules = ["settings-variable", "settings-file-missing", "settings-file-case", "settings-line"]

    private func settings(_ one: DialectCase) throws -> [SigningSettings] {
        try TemporaryFolder.with { folder in
            for (path, text) in one.files {
                try write(text, to: "\(folder)/Config/\(path)")
            }
            try write(ProjectText.project(one.project, one.target), to: "\(folder)/App.xcodeproj/project.pbxproj")
            return try SigningSettings.read(contentsOf: "\(folder)/App.xcodeproj")
        }
    }

    private func write(_ text: String, to path: String) throws {
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    // Rule: settings come to what Xcode makes of them | conditions of a file always over what has none | "in a file the
    //   last that holds counts"
    @Test(arguments: DialectCase.all)
    func `a setting comes to what Xcode makes of it`(one: DialectCase) throws {
        let found = try settings(one)
        #expect(found.map(\.sdk) == ["iphoneos", "macosx"])
        let settings = try #require(found.first { $0.sdk == one.sdk })
        #expect(settings.values["X"] == one.value)
    }

    // Rule: a missing file is told and the rest judged | the finding left out | no finding
    @Test func `missing files, other capitals and lines that assign nothing are told, and the rest is judged`() throws {
        let text = "#include \"gone.xcconfig\"\n#include \"B.xcconfig\"\n!\nX = a\nCODE_SIGN_STYLE = Automatic"
        let one = DialectCase("", text, files: ["b.xcconfig": "X = b"], is: "a")
        let settings = try settings(one)
        let findings = check(settings: settings, expectations: [], library: ProfileLibrary([])).findings
        #expect(findings.map(\.rule.id) == ["settings-file-missing", "settings-file-case", "settings-line"])
        #expect(findings.first?.reason.contains("gone.xcconfig") == true)
        #expect(settings.allSatisfy { $0.values["X"] == "a" })
    }

    @Test func `a base file that is missing is told, and the rest is judged`() throws {
        try TemporaryFolder.with { folder in
            let project = ProjectText.project(
                [:], ["CODE_SIGN_STYLE": "Automatic", "CODE_SIGN_IDENTITY": "Apple Distribution"])
            try write(project, to: "\(folder)/App.xcodeproj/project.pbxproj")
            let settings = try SigningSettings.read(contentsOf: "\(folder)/App.xcodeproj")
            let findings = check(settings: settings, expectations: [], library: ProfileLibrary([])).findings
            #expect(Set(findings.map(\.rule.id)) == ["settings-file-missing", "settings-style"])
        }
    }

    // Rule: each SDK is judged by its own settings | the first SDK's settings for all | the place of the finding
    @Test func `each SDK of a target is judged by its own settings`() throws {
        let target = [
            "CODE_SIGN_STYLE": "Automatic", "CODE_SIGN_IDENTITY": "Apple Development",
            "CODE_SIGN_STYLE[sdk=iphoneos*]": "Manual", "CODE_SIGN_IDENTITY[sdk=macosx*]": "Developer ID Application",
        ]
        let settings = try settings(DialectCase("", target: target, is: ""))
        let findings = check(settings: settings, expectations: [], library: ProfileLibrary([])).findings
        #expect(findings.map(\.rule.id) == ["settings-profile-missing", "settings-style"])
        let places = ["iphoneos PROVISIONING_PROFILE_SPECIFIER", "macosx CODE_SIGN_IDENTITY"]
        #expect(findings.compactMap(\.place.detail) == places.map { "App Release \($0)" })
    }

    // Rule: what may come from the environment is no error | judged as if it were empty | settings-profile-missing
    @Test func `a profile named by a variable that nothing defines is told as such`() throws {
        let target = ["CODE_SIGN_STYLE": "Manual", "PROVISIONING_PROFILE_SPECIFIER[sdk=iphoneos*]": "$(FROM_CI)"]
        let settings = try settings(DialectCase("", target: target, is: ""))
        let findings = check(settings: settings, expectations: [], library: ProfileLibrary([])).findings
        #expect(findings.map(\.rule.id) == ["settings-variable"])
        #expect(findings.first?.reason == "nothing defines FROM_CI")
    }

    @Test(.timeLimit(.minutes(15)))
    func `rings of settings and includes that double end soon`() throws {
        let names = (0..<24).map { "V\($0)" }
        let rings = names.map { name in "\(name) = " + names.map { "$(\($0))" }.joined() }.joined(separator: "\n")
        let bombs = (0..<40).map {
            ("b\($0).xcconfig", "#include \"b\($0 + 1).xcconfig\"\n#include \"b\($0 + 1).xcconfig\"")
        }
        #expect(try settings(DialectCase("", rings + "\nX = a", is: "")).first?.values["X"] == "a")
        let nested = String(repeating: "$(A", count: 100_000)
        #expect(try settings(DialectCase("", "X = \(nested)", is: "")).count == 2)
        let error = profileError {
            _ = try settings(
                DialectCase("", "#include \"b0.xcconfig\"", files: Dictionary(bombs) { $1 }, is: ""))
        }
        #expect(error?.code == .tooLarge)
    }
}

extension ProjectText {
    /// A project with one target, App, for iOS and as Mac Catalyst, in the configuration Release, based on
    /// Config/a.xcconfig.
    static func project(
        _ project: [String: String], _ target: [String: String], product: String = "application"
    ) -> String {
        func dictionary(_ values: [String: String]) -> String {
            let lines = values.map { key, value in
                "\"\(key)\" = \"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\";"
            }
            return "{ \(lines.joined(separator: " ")) }"
        }
        return """
            // !$*UTF8*$!
            { objects = {
                F1 = {isa = PBXFileReference; path = a.xcconfig; sourceTree = "<group>"; };
                G1 = {isa = PBXGroup; children = (G2, ); sourceTree = "<group>"; };
                G2 = {isa = PBXGroup; children = (F1, ); path = Config; sourceTree = "<group>"; };
                P1 = {isa = PBXProject; buildConfigurationList = L1; mainGroup = G1; targets = (T1, ); };
                L1 = {isa = XCConfigurationList; buildConfigurations = (C1, ); };
                L2 = {isa = XCConfigurationList; buildConfigurations = (C2, ); };
                T1 = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.\(product)"; buildConfigurationList = L2; };
                C1 = {isa = XCBuildConfiguration; name = Release; buildSettings = \(dictionary(["SDKROOT": "iphoneos", "SUPPORTS_MACCATALYST": "YES"].merging(project) { $1 })); };
                C2 = {isa = XCBuildConfiguration; baseConfigurationReference = F1; name = Release; buildSettings = \(dictionary(target)); };
              };
              rootObject = P1; }
            """
    }
}
