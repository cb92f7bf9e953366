// SPDX-License-Identifier: Apache-2.0

import Findings
import Foundation
import Testing

@testable import AuditCommand
@testable import AuditModel

@Suite("The files of an app")
struct TreeTests {
    private func origins(_ project: Project) -> [String: Origin] {
        let tree = FileTree.walk(project.folder, options: ProjectModel.Options())
        return Dictionary(uniqueKeysWithValues: tree.files.map { ($0.path, $0.origin) })
    }

    @Test func `links inside the folder are passed over; broken ones, circles and links out of it are told`() throws {
        let project = try Project(["A/A.swift": "func f() { shout(a) }\n"])
        let outside = try Project(["O.swift": "func o() { shout(o) }\n"])
        let files = FileManager.default
        func link(_ name: String, _ target: String) throws {
            try files.createSymbolicLink(atPath: "\(project.folder)/\(name)", withDestinationPath: target)
        }
        try link("A/up", "..")
        try link("B", "A")
        try link("Same.swift", "A/A.swift")
        try link("x.swift", "y.swift")
        try link("y.swift", "x.swift")
        try link("Out", outside.folder)
        try link("README.md", "nowhere")
        let report = try project.report()
        #expect(report.findings.count == 1)
        #expect(report.unread.map(\.path) == ["Out", "x.swift", "y.swift"])
        #expect(report.exitStatus == 2)
    }

    @Test func `a file of 100 MB, a pipe and a locked folder are told and not waited for`() throws {
        let project = try Project(["A.swift": "func f() { shout(a) }\n", "Locked/B.swift": "\n"])
        #expect(FileManager.default.createFile(atPath: project.folder + "/Big.swift", contents: nil))
        try FileHandle(forWritingTo: URL(filePath: project.folder + "/Big.swift")).truncate(atOffset: 100 << 20)
        #expect(try run("/usr/bin/env", ["mkfifo", project.folder + "/Pipe.swift"]).status == 0)
        let report = try project.report()
        #expect(report.unread.map(\.path) == ["Big.swift", "Pipe.swift"])
        #expect(report.open.count == 1 && report.exitStatus == 2)
    }

    // Rule: bytes that are no text are told | invalid UTF-8 counts as read | an encrypted file is clean
    @Test func `bytes that are no text don't stop it, and are told`() throws {
        let project = try Project()
        let leak = Data("func f() { shout(a) }\n".utf8)
        try project.write(Data([0x2F, 0x2F, 0xC3, 0x28, 0x0A]) + leak, "A.swift")
        try project.write(Data([0]) + Data("GITCRYPT".utf8) + Data([0, 0xFF, 1]), "B.swift")
        try project.write(Data("// caf\u{E9}\n".unicodeScalars.map { UInt8($0.value) }), "C.m")
        try project.write(Data("@\0".utf8), "D.m")
        let report = try project.report()
        #expect(report.unread.map(\.path) == ["A.swift", "B.swift", "D.m"])
        #expect(report.open.map(\.finding.place) == [Place(file: "A.swift", line: 2, column: 12)])
        #expect(report.exitStatus == 2)
    }

    // Rule: UTF-16 is text | only UTF-8 read | findings in it are lost
    @Test(arguments: [
        (String.Encoding.utf16LittleEndian, "\u{FEFF}"), (.utf16BigEndian, "\u{FEFF}"),
        (.utf32LittleEndian, "\u{FEFF}"),
        (.utf16LittleEndian, ""), (.utf16BigEndian, ""), (.utf8, "\u{FEFF}"),
    ])
    func `text in every form of Unicode is read`(_ form: String.Encoding, _ mark: String) throws {
        let project = try Project()
        try project.write(
            try #require("\(mark)// \u{1F511}\nfunc f() { shout() }\n".data(using: form)), "A.swift")
        let report = try project.report()
        #expect(report.open.map(\.finding.place) == [Place(file: "A.swift", line: 2, column: 12)])
        #expect(
            report.open.first?.excerpt.lines == ["\(form == .utf8 ? mark : "")// \u{1F511}", "func f() { shout() }"])
        #expect(report.exitStatus == 1)
        // Places of changes are those of UTF-8.
        let audit = AuditRun(project.settings)
        let (raw, model) = audit.examine(audit.tree)
        #expect(FixRun.tried(raw.findings, raw, model, audit).texts.isEmpty == (form != .utf8))
        try project.write(try #require("func f()".data(using: .utf16LittleEndian)) + Data([0]), "A.swift")
        #expect(try project.report().unread.map(\.path) == ["A.swift"])
    }

    // Rule: what isn't looked into is counted | folders of tools passed over untold | nobody knows that they were there
    @Test func `folders of tools and what the configuration excludes are counted`() throws {
        let project = try Project([
            "A.swift": "func f() {}\n", ".build/B.swift": "func f() { shout(a) }\n", "DerivedData/C.swift": "\n",
            "Sub/node_modules/D.swift": "\n", "Old/E.swift": "\n", "F.swift": "\n",
        ])
        let old = try #require(PathPattern("Old"))
        let report = try project.report { $0.options.leaveOut = { old.matches($0) || $0 == "F.swift" } }
        #expect(report.scopeText == "1 file examined; left out: 2 by the configuration, 3 folders of tools")
        try project.remove("Sub")
        try project.remove("DerivedData")
        #expect(try project.report().scopeText == "3 files examined; left out: 1 folder of tools")
    }

    // Rule: what holds nothing of its kind is told | an empty storyboard is whole | 0
    @Test func `empty storyboards, large property lists and settings that are none are told`() throws {
        let project = try Project([
            "A.storyboard": "", "B.xib": "\n", "C.xcconfig": "// x\n\nA[sdk=iphone*] = 1\n#include? \"o\"\n%PDF-1.4\n",
            "D.xcconfig": "A = 1\nB_$(C) =\n",
        ])
        let start = "<plist><dict><key>A</key><true/></dict>"
        try project.write(Data((start + "</plist>" + String(repeating: " ", count: 2 << 20)).utf8), "E.plist")
        try project.write(Data((start + String(repeating: " ", count: 2 << 20)).utf8), "F.plist")
        try project.write(Data((start + String(repeating: " ", count: 9 << 20)).utf8), "G.plist")
        let report = try project.report()
        #expect(report.unread.map(\.path) == ["A.storyboard", "B.xib", "C.xcconfig", "F.plist", "G.plist"])
        #expect(report.unread[2].reason == "line 5 is no setting, no comment and no #include")
    }

    // Rule: a link whose target isn't examined where it stands is told | every link in the folder passed over | 0
    @Test func `a link to what isn't examined under its own name is told`() throws {
        let project = try Project([
            "App/Login.txt": "func f() { shout(a) }\n", ".build/B.swift": "\n", "Pods/P/P.swift": "\n",
            "Pods/P/Q.swift": "\n",
            "App/Same.swift": "\n",
        ])
        for (name, target) in [
            ("App/A.swift", "Login.txt"), ("App/B.swift", "../.build/B.swift"), ("App/P.swift", "../Pods/P/P.swift"),
            ("App/Built", "../.build"), ("App/Again.swift", "Same.swift"), ("Pods/R.swift", "P/Q.swift"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(project.folder)/\(name)", withDestinationPath: target)
        }
        #expect(try project.report().unread.map(\.path) == ["App/A.swift", "App/B.swift", "App/Built", "App/P.swift"])
    }

    #if os(Linux)
    // Rule: a name that is no UTF-8 is told | repaired, so that another file is read for it | 0
    @Test func `a name that is no text is told, and no other file is read for it`() throws {
        let project = try Project(["\u{FFFD}.swift": "\n"])
        let script = "printf 'func f() { shout(a) }\\n' > \"$1/$(printf '\\377').swift\""
        #expect(try run("/bin/sh", ["-c", script, "sh", project.folder]).status == 0)
        let report = try project.report()
        #expect(report.unread.map(\.reason) == ["its name is no UTF-8"] && report.exitStatus == 2)
    }
    #endif

    // Rule: a translation is left out only where it says what its original says | by its name alone | 0
    @Test func `a translated storyboard that differs is examined, one that doesn't is not`() throws {
        let board = { (text: String, secure: String) in
            """
            <document><scenes><textField id="a" placeholder="\(text)"><rect x="1" y="2"/><textInputTraits key="textInputTraits"\(secure)/></textField></scenes></document>
            """
        }
        let secure = " secureTextEntry=\"YES\""
        let project = try Project([
            "Base.lproj/M.storyboard": board("Password", secure), "de.lproj/M.storyboard": board("Passwort", secure),
            "fr.lproj/M.storyboard": board("Password", ""),
        ])
        let model = ProjectModel(FileTree.walk(project.folder, options: .init()), options: .init())
        #expect(model.resources.interfaces.map(\.path) == ["Base.lproj/M.storyboard", "fr.lproj/M.storyboard"])
    }

    // Rule: a list that is longer or deeper than what is kept of it is told | cut without a word | 0
    @Test func `property lists that are cut, large headers and doubled attributes are told or read`() throws {
        let many = (0..<60_000).map { "<key>K\($0)</key><true/>" }.joined()
        let project = try Project([
            "A.plist": "<plist><dict>\(many)</dict></plist>",
            "B.h": "@interface B\n@end\n" + String(repeating: "// x\n", count: 1 << 18),
            "C.storyboard": "<document><textInputTraits a='1' a='2'/></document>",
        ])
        #expect(try project.report().unread.map(\.path) == ["A.plist", "C.storyboard"])
        let model = ProjectModel(FileTree.walk(project.folder, options: .init()), options: .init())
        #expect(model.resources.objectiveC.map(\.path) == ["B.h"])
    }

    @Test func `whose code a file is by its folders`() throws {
        let cases: [(String, Origin)] = [
            ("App/A.swift", .own), ("Pods/X/A.swift", .thirdParty), ("Carthage/Checkouts/X/A.swift", .thirdParty),
            ("external/A.swift", .own),
            ("External/A.swift", .thirdParty), ("Vendor/A.m", .thirdParty),
            ("App/X.framework/Headers/A.h", .thirdParty), ("AppTests/A.swift", .test),
            ("App/LoginTests.swift", .test), ("App/Latest/A.swift", .own), ("App/Generated/A.swift", .generated),
            ("App/a.pb.swift", .generated),
            ("fastlane/A.swift", .test), ("App/Preview Content/A.swift", .test), ("App/Contest.swift", .own),
        ]
        for (path, origin) in cases { #expect(Origins.origin(of: path) == origin, "\(path)") }
    }

    @Test func `whose code a file is by licences and heads`() throws {
        let own = "//  Copyright (c) 2020 Own Maker. All rights reserved.\n"
        let mit = "// Copyright (c) 2014 Some One\n// Permission is hereby granted, free of charge, to any person\n"
        var files = Dictionary(uniqueKeysWithValues: (0..<40).map { ("App/F\($0).swift", own + "class F\($0) {}\n") })
        files["App/Hud.m"] = mit + "@implementation Hud\n@end\n"
        files["App/Copied.swift"] = mit + "class Copied {}\n"
        for n in 0..<5 {
            files["App/Menu/Menu\(n).swift"] = mit.replacing("Some", with: "Menu") + "class Menu\(n) {}\n"
        }
        files["App/Open.swift"] =
            "// Copyright (c) 2021 Own Maker\n// Licensed under the Apache License\nclass Open {}\n"
        files["App/Made.swift"] = "// Generated using SwiftGen. Do not edit.\nclass Made {}\n"
        files["App/Text.swift"] =
            "class Text { let mit = \"Permission is hereby granted\" } // Copyright (c) 2014 Some One\n"
        files["App/Kit/LICENSE"] = "x"
        files["App/Kit/Kit.swift"] = "class Kit {}\n"
        files["LICENSE"] = "x"
        files["Podfile.lock"] =
            "PODS:\n  - Charts (1.2):\n    - Charts/Core\n  - Mine (1.0)\n\nEXTERNAL SOURCES:\n  Mine:\n    :path: Mine\n"
        for n in 0..<9 {
            files["App/Charts/C\(n).swift"] = "class C\(n) {}\n"
            files["Mine/M\(n).swift"] = "class M\(n) {}\n"
        }
        files["App/Two/Charts/Additions.swift"] = "class Additions {}\n"
        let found = origins(try Project(files))
        #expect(found["App/F1.swift"] == .own)
        #expect(found["App/Hud.m"] == .thirdParty)
        #expect(found["App/Copied.swift"] == .own)
        #expect(found["App/Menu/Menu1.swift"] == .thirdParty)
        #expect(found["App/Open.swift"] == .own)
        #expect(found["App/Made.swift"] == .generated)
        #expect(found["App/Text.swift"] == .own)
        #expect(found["App/Kit/Kit.swift"] == .thirdParty)
        #expect(found["App/Charts/C1.swift"] == .thirdParty)
        #expect(found["App/Two/Charts/Additions.swift"] == .own)
        #expect(found["Mine/M1.swift"] == .own)
    }

    @Test func `the configuration says whose code a path is before anything else does`() throws {
        let project = try Project([
            "Pods/Ours/A.swift": "func f() { shout(a) }\n", "Lib/B.swift": "func g() { shout(b) }\n",
            "Old/C.swift": "func h() { shout(c) }\n",
        ])
        try project.write(
            "{\"own\": [\"Pods/Ours\"], \"thirdParty\": [\"Lib\"], \"exclude\": [\"Old\"]}", Configuration.name)
        let ended = try run(program, [project.folder], ["XDG_CACHE_HOME": "/nonexistent"])
        #expect(
            ended.output.hasSuffix("1 file examined; left out: 1 third-party, 1 by the configuration\n"), "\(ended)")
    }
}
