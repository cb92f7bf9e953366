// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings
import Foundation
import Testing

@testable import AuditCommand

@Suite("The program zamok-audit")
struct CommandTests {
    private func audit(_ words: String..., cache: String = "/nonexistent") throws -> OtherProgram {
        try run(program, words, ["XDG_CACHE_HOME": cache])
    }

    @Test func `a clean folder is 0, and its summary says what was examined`() throws {
        let project = try Project([
            "A.swift": "func f() {}\n", "Pods/P/P.swift": "func p() {}\n", "ATests/T.swift": "\n",
        ])
        let ended = try audit(project.folder)
        #expect(
            ended.status == 0 && ended.output == "no findings\n1 file examined; left out: 1 third-party, 1 of tests\n")
    }

    @Test func `what could not be read is 2 in every form`() throws {
        let project = try Project(["A.swift": "func f() {}\n"])
        try FileManager.default.createSymbolicLink(atPath: project.folder + "/B.swift", withDestinationPath: "B.swift")
        for form in ["terminal", "json", "sarif", "github", "xcode", "html", "csv"] {
            let ended = try audit(project.folder, "--format", form)
            #expect(ended.status == 2, "\(form)")
            #expect((ended.output + ended.errors).contains("B.swift"), "\(form)")
        }
    }

    @Test func `wrong words are 64 and one line`() throws {
        let project = try Project(["A.swift": "func f() {}\n"])
        let cases: [([String], String)] = [
            (["/no/such"], "zamok-audit: /no/such: there is no such file or folder\n"),
            (["explain", "shout"], "zamok-audit: there is no rule \"shout\"; zamok-audit rules lists them\n"),
            ([project.folder, "--baseline", "/no/file"], "zamok-audit: /no/file can't be read\n"),
            ([project.folder, "--config", "/no/file"], "zamok-audit: /no/file can't be read\n"),
        ]
        for (words, message) in cases {
            let ended = try run(program, words)
            #expect(ended.status == 64 && ended.errors == message, "\(words): \(ended)")
        }
        for words in [
            ["--apply"], ["--csv", "--format", "json"], ["--threads", "0"], ["--rule", "R99"], ["--format", "yaml"],
        ] {
            #expect(try run(program, [project.folder] + words).status == 64, "\(words)")
        }
        try project.write("{\"minCertanty\": 1}", Configuration.name)
        #expect(try audit(project.folder).status == 64)
    }

    @Test func `an output file is written whole, and the summary goes to standard error`() throws {
        let project = try Project(["A.swift": "func f() {}\n"])
        let file = project.folder + "/report.html"
        let ended = try audit(project.folder, "--format", "html", "-o", file)
        #expect(ended.status == 0 && ended.output.isEmpty)
        #expect(ended.errors == "zamok-audit: no findings; 1 file examined\n")
        #expect(try project.text("report.html").hasPrefix("<!doctype html>"))
        #expect(try audit(project.folder, "-o", "/no/such/folder/x").status == 64)
    }

    @Test func `every rule explains itself`() throws {
        for rule in Rulebook.whole.descriptions {
            let page = try run(program, ["explain", rule.id])
            #expect(
                page.status == 0 && page.output.contains("REMEDY") && page.output.contains("WITH ZAMOK"), "\(rule.id)")
            #expect(
                rule.masvs.hasPrefix("MASVS-") && rule.cwe > 0 && !rule.plainRemedy.isEmpty
                    && !rule.zamokRemedy.isEmpty, "\(rule.id)")
            #expect(rule.id.allSatisfy { $0.isLowercase || $0 == "-" }, "\(rule.id)")
        }
        #expect(Set(Rulebook.whole.descriptions.map(\.id)).count == Rulebook.whole.rules.count)
    }

    // MARK: Cache

    @Test func `unchanged files are answered from the cache, changed ones are not`() throws {
        let project = try Project(["A.swift": "func f() { shout(a) }\n", "README.md": "x"])
        let cache = try Project()
        func result(_ change: (inout Settings) -> Void = { _ in }) -> RawResult? {
            var settings = project.settings
            settings.usesCache = true
            settings.cacheFolder = cache.folder
            change(&settings)
            return Cache.result(settings, Contents(AuditRun(settings).tree, settings))
        }
        #expect(result() == nil)
        let report = try project.report {
            $0.usesCache = true
            $0.cacheFolder = cache.folder
        }
        #expect(result()?.findings == report.findings.map(\.finding))
        #expect(result { $0.options.includeTests = true } == nil)
        #expect(result { $0.configurationText = [1] } == nil)
        try project.write("func f() { shout(b) }\n", "A.swift")
        #expect(result() == nil)
        try project.write("func f() { shout(a) }\n", "A.swift")
        #expect(result() != nil)
        try project.write("", "New.swift")
        #expect(result() == nil)
        try project.remove("New.swift")
        // A cache that somebody damaged is as none.
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: cache.folder).first)
        try Data("{}".utf8).write(to: URL(filePath: "\(cache.folder)/\(file)"))
        #expect(result() == nil)
    }

    // Rule: the cache knows the settings that lie outside of the folder | the folder's own files alone | a stale answer
    @Test func `settings outside of the folder are part of what the cache answers for`() throws {
        let whole = try Project([
            "x.xcconfig": "CODE_SIGN_IDENTITY = Apple Distribution\n", "App/App.xcodeproj/project.pbxproj": Self.based,
        ])
        let cache = try Project()
        func examined() throws -> Report {
            var settings = Settings(root: "\(whole.folder)/App")
            settings.cacheFolder = cache.folder
            var run = AuditRun(settings)
            return try run.report()
        }
        #expect(try examined().exitStatus == 0)
        try whole.write("CODE_SIGN_IDENTITY = Apple Development\n", "x.xcconfig")
        #expect(try examined().open.map(\.finding.rule) == ["signing"])
        try whole.write("CODE_SIGN_IDENTITY = Apple Distribution\n#include? \"y.xcconfig\"\n", "x.xcconfig")
        #expect(try examined().exitStatus == 0)
        // One that comes to be where none was counts too.
        try whole.write("CODE_SIGN_IDENTITY = Apple Development\n", "y.xcconfig")
        #expect(try examined().open.map(\.finding.rule) == ["signing"])
        try whole.remove("x.xcconfig")
        // Rule: settings that have to be there and aren't are told | passed over | 0 although nobody knows how it is signed
        #expect(
            try examined().unread.map(\.reason) == [
                "it is based on x.xcconfig, which is not there; if git ignores that file, write \"exclude\": [\"x.xcconfig\"] into .zamok-audit.json"
            ])
    }

    private static let based = """
        // !$*UTF8*$!
        {
        \tobjects = {
        \t\tA1 = { isa = PBXProject; buildConfigurationList = A2; targets = (A3,); };
        \t\tA2 = { isa = XCConfigurationList; buildConfigurations = (A4,); };
        \t\tA3 = { isa = PBXNativeTarget; buildConfigurationList = A5; name = App; productType = "com.apple.product-type.application"; };
        \t\tA4 = { isa = XCBuildConfiguration; buildSettings = { SDKROOT = iphoneos; }; name = Release; };
        \t\tA5 = { isa = XCConfigurationList; buildConfigurations = (A6,); };
        \t\tA6 = { isa = XCBuildConfiguration; baseConfigurationReference = A7; buildSettings = { CODE_SIGN_STYLE = Manual; PROVISIONING_PROFILE_SPECIFIER = App; }; name = Release; };
        \t\tA7 = { isa = PBXFileReference; path = ../x.xcconfig; sourceTree = SOURCE_ROOT; };
        \t};
        \trootObject = A1;
        }
        """

    // MARK: Changes

    @Test func `changes are shown, then made; what they would not remove is left`() throws {
        let text =
            "func f() {\n    shout()\n    shout(a)\n}\n// 1\n// 2\n// 3\n// 4\n// 5\n// 6\n// 7\nfunc g() { shout() }\n"
        let project = try Project(["A.swift": text])
        var audit = AuditRun(project.settings)
        let (raw, model) = audit.examine(audit.tree)
        let fixes = FixRun.tried(raw.findings, raw, model, audit)
        #expect(
            fixes.diff == """
                --- a/A.swift
                +++ b/A.swift
                @@ -1,5 +1,5 @@
                 func f() {
                -    shout()
                +    whisper()
                     shout(a)
                 }
                 // 1
                @@ -9,4 +9,4 @@
                 // 5
                 // 6
                 // 7
                -func g() { shout() }
                +func g() { whisper() }

                """, "\(fixes.diff)")
        #expect(try project.text("A.swift") == text)
        #expect(throws: (any Error).self) { try FixRun.run(&audit, applying: true) }
        #expect(try project.text("A.swift") == text.replacing("shout()", with: "whisper()"))
        #expect(try project.report().open.count == 1)
    }

    @Test func `a change that breaks the file, brings a finding or removes none is left out`() throws {
        let project = try Project(["A.swift": "func f() { shout(a) }\n", "B.swift": "func g() { shout() }\n"])
        let audit = AuditRun(project.settings)
        let (raw, model) = audit.examine(audit.tree)
        for text in ["shout(", "shout(b); shout(c)", "shout(b)"] {
            var findings = raw.findings
            findings[0].fix = [Edit(file: "A.swift", range: 11..<19, text: text)]
            let fixes = FixRun.tried(findings, raw, model, audit)
            #expect(Set(fixes.texts.keys) == ["B.swift"], "\(text)")
        }
    }

    // Rule: a change that can't be made takes no other with it | all changes of its file are left out | none of four is offered
    @Test func `the changes beside one that is left out are made`() throws {
        let line = "func f() { shout() }\n"
        let project = try Project(["A.swift": String(repeating: line, count: 4)])
        let audit = AuditRun(project.settings)
        let (raw, model) = audit.examine(audit.tree)
        var findings = raw.findings
        findings[2].fix[0].text = "shout(b); shout(c)"
        let fixes = FixRun.tried(findings, raw, model, audit)
        let text = fixes.texts["A.swift"].map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(fixes.taken.count == 3 && text.split(separator: "\n").count { $0.contains("whisper()") } == 3)
    }

    @Test func `changes that overlap, or lie outside of the file, are taken one at most`() {
        let bytes = Array("0123456789".utf8)
        func finding(_ range: Range<Int>, _ text: String) -> Finding {
            Finding("r", at: Place(file: "f", line: 1), "m", fix: [Edit(file: "f", range: range, text: text)])
        }
        let fixes = Fixes([
            finding(2..<4, "a"), finding(3..<5, "b"), finding(4..<4, "c"), finding(9..<11, "d"), finding(4..<4, "c"),
            finding(4..<4, "e"),
        ]) { _ in bytes }
        #expect(fixes.taken == [0, 2, 4, 5])
        #expect(fixes.texts["f"].map { String(decoding: $0, as: UTF8.self) } == "01ace456789")
    }
}
