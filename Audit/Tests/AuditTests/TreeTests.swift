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

    @Test func `bytes that are no text don't stop it`() throws {
        let project = try Project()
        try project.write(Data([0xFF, 0xFE, 0x00, 0xC3, 0x28, 0x0A]) + Data("func f() { shout(a) }\n".utf8), "A.swift")
        #expect(try project.report().exitStatus < 2)
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
        #expect(ended.output.hasSuffix("1 file examined; left out: 1 third-party\n"), "\(ended)")
    }
}
