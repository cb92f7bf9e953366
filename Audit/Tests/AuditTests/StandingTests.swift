// SPDX-License-Identifier: Apache-2.0

import Findings
import Foundation
import Testing

@testable import AuditCommand

@Suite("Findings that don't count")
struct StandingTests {
    private func baseline(_ project: Project) throws -> Baseline {
        var run = AuditRun(project.settings)
        let text = Baseline(try run.report().open, &run.sources).text
        return try Baseline(text: Array(text.utf8))
    }

    // MARK: Baseline

    @Test func `a baseline survives lines put in above, blanks and a new name of the file`() throws {
        let project = try Project(["A.swift": "func f() {\n    shout(pin)\n}\n", "B.swift": "func g() { shout(b) }\n"])
        let baseline = try baseline(project)
        try project.write("// one\n// two\nfunc f() {\n  if true {\n        shout( pin )\n  }\n}\n", "A.swift")
        try project.remove("B.swift")
        try project.write("// moved\nfunc g() { shout(b) }\n", "Sub/C.swift")
        let report = try project.report { $0.baseline = baseline }
        #expect(report.findings.map(\.standing) == [.baseline, .baseline])
        #expect(report.exitStatus == 0 && report.remarks.isEmpty)
    }

    @Test func `a second finding of the same text counts`() throws {
        let project = try Project(["A.swift": "func f() {\n    shout(pin)\n}\n"])
        let baseline = try baseline(project)
        try project.write("func f() {\n    shout(pin)\n    shout(pin)\n}\n", "A.swift")
        let report = try project.report { $0.baseline = baseline }
        #expect(report.findings.map(\.standing) == [.baseline, .open])
    }

    @Test func `a copy in another file counts as long as the first is there`() throws {
        let project = try Project(["A.swift": "func f() { shout(pin) }\n"])
        let baseline = try baseline(project)
        try project.write("func f() { shout(pin) }\n", "B.swift")
        #expect(try project.report { $0.baseline = baseline }.open.map(\.finding.place.file) == ["B.swift"])
    }

    @Test func `what is gone from the code is told, so that the baseline gets shorter`() throws {
        let project = try Project(["A.swift": "func f() { shout(pin) }\n"])
        let baseline = try baseline(project)
        try project.write("func f() {}\n", "A.swift")
        let report = try project.report { $0.baseline = baseline }
        #expect(report.remarks == ["1 findings of the baseline are gone; write it anew with --write-baseline"])
        #expect(report.exitStatus == 0)
    }

    @Test func `a baseline tells nothing of the lines`() throws {
        let project = try Project(["A.swift": "func f() { shout(pin, \"s3cret\") }\n"])
        var run = AuditRun(project.settings)
        #expect(!Baseline(try run.report().open, &run.sources).text.contains("s3cret"))
    }

    @Test(arguments: ["", "[]", "{}", "{\"format\": 1}", "{\"format\": 2, \"findings\": []}"])
    func `what is no baseline is refused`(_ text: String) {
        #expect(throws: Baseline.Failure.self) { try Baseline(text: Array(text.utf8)) }
    }

    // MARK: Beside the line

    @Test(arguments: [
        "    shout(pin) // zamok:allow(shouting) it is a test\n",
        "    // zamok:allow(shouting) it is a test\n    shout(pin)\n",
        "    /* zamok:allow(XLOG): it is a test */\n\n    // and a word more\n    shout(pin)\n",
        "    // zamok:allow(other, shouting) it is a test\n    shout(pin)\n",
        "    shout(pin)\n// zamok:allow-file(shouting) it is a test\n",
    ])
    func `an allowance with a reason silences its line, and stays to be seen`(_ lines: String) throws {
        let report = try Project(["A.swift": "func f() {\n\(lines)}\n"]).report()
        #expect(report.findings.map(\.standing) == [.allowed])
        #expect(report.findings[0].reason == "it is a test")
        #expect(report.exitStatus == 0)
        #expect(report.summary == "no findings; 1 allowed in the source")
    }

    // Rule: only a comment allows | a text with the word in it allows too | what a text says silences a finding
    @Test(arguments: [
        "    // zamok:allow(shouting)\n    shout(pin)\n", "    // zamok:allow(other) why\n    shout(pin)\n",
        "    // zamok:allow(shouting) why\n    f()\n    shout(pin)\n", "    shout(pin) // zamok:allow shouting why\n",
        "    shout(pin, \"// zamok:allow(shouting) why\")\n",
        "    let a = \"\"\"\n    // zamok:allow-file(shouting) why\n    \"\"\"\n    shout(pin)\n",
        "    shout(pin, \"zamok:allow(shouting) why\")\n", "    shout(pin)\n    // zamok:allow(shouting) why\n",
    ])
    func `an allowance without a reason, of another rule or of another line silences nothing`(_ lines: String) throws {
        let report = try Project(["A.swift": "func f() {\n\(lines)}\n"]).report()
        #expect(report.findings.map(\.standing) == [.open])
    }

    @Test func `allowances that do nothing are told`() throws {
        let report = try Project([
            "A.swift": "// zamok:allow(shouting) why\nfunc f() {}\nfunc g() { shout(a) } // zamok:allow(shouting)\n"
        ]).report()
        #expect(
            report.remarks == [
                "A.swift:1: zamok:allow(shouting) allows nothing",
                "A.swift:3: zamok:allow without a reason allows nothing; write why behind the bracket",
            ])
    }

    @Test func `XML has allowances too`() {
        let lines = "<a>\n<!-- zamok:allow(secure-entry) shown on purpose -->\n<b/>".split(separator: "\n")
        let found = Allowances.read(lines)
        #expect(found.map(\.reason) == ["shown on purpose"] && found[0].standsAlone)
    }

    // MARK: Configuration

    private func configured(_ text: String) throws -> Report {
        let project = try Project([
            "A.swift": "func f() { shout(maybe) }\n", "Legacy/B.swift": "func g() { shout(b) }\n",
            "Legacy/New/C.swift": "func h() { shout(c, d) }\n", "Pods/D.swift": "func i() { shout(d) }\n",
        ])
        try project.write(text, Configuration.name)
        return try project.report {
            $0.configuration = try Configuration(text: Array(text.utf8), knownRules: ["shouting", "XLOG"])
        }
    }

    @Test func `settings of a path go before those of the whole, and the last before the first`() throws {
        let report = try configured(
            """
            {"minCertainty": "possible", "paths": [{"path": "Legacy/**", "rules": {"XLOG": "off"}}, {"path": "Legacy/New/**", "rules": {"shouting": "sure"}}]}
            """)
        #expect(
            report.findings.map { "\($0.finding.place.file) \($0.standing.rawValue)" } == [
                "A.swift open", "Legacy/B.swift configured", "Legacy/New/C.swift open",
            ])
        #expect(report.scope.thirdParty == 1)
    }

    @Test func `what is less sure than asked for is counted`() throws {
        let report = try configured("{}")
        #expect(report.open.count == 2 && report.scope.lessSure == 1)
        #expect(report.summary.hasSuffix("1 less sure and not shown"))
    }

    @Test(arguments: [
        ("[]", "it has to be an object { }"), ("{", "it is not JSON"),
        (
            "{\"rule\": {}}",
            "\"rule\" is unknown; known are rules, minCertainty, exclude, thirdParty, own, paths and baseline"
        ),
        ("{\"rules\": {\"shoutin\": \"off\"}}", "\"shoutin\" in \"rules\" is no rule; zamok-audit rules lists them"),
        ("{\"minCertainty\": \"high\"}", "\"minCertainty\" has to be \"off\", \"possible\", \"likely\" or \"sure\""),
        ("{\"paths\": [{}]}", "an object in \"paths\" lacks \"path\""),
        ("{\"exclude\": \"a\"}", "\"exclude\" has to be a list of texts"),
    ])
    func `a configuration with a mistake is refused, with its place`(_ text: String, _ message: String) {
        #expect(throws: Configuration.Failure(message: message)) {
            try Configuration(text: Array(text.utf8), knownRules: ["shouting"])
        }
    }

    @Test(arguments: [
        ("a/b.swift", "a", true), ("a/b.swift", "b.swift", true), ("a/b.swift", "a/*.swift", true),
        ("a/c/b.swift", "a/*.swift", false),
        ("a/c/d/b.swift", "a/**/b.swift", true), ("a/b.swift", "a/**/b.swift", true), ("a/b.swift", "**", true),
        ("ab/c", "a", false),
        ("x/Pods/y", "Pods", true), ("x/Pods/y", "/Pods", false), ("a/bcd.swift", "a/b?d.*", true),
        ("a/b", "c/**", false), ("a/b", "./a", true),
    ])
    func `patterns of paths`(_ path: String, _ pattern: String, _ fits: Bool) throws {
        #expect(try #require(PathPattern(pattern)).matches(path) == fits)
    }

    // Rule: a pattern that fits no path is refused | . taken | it excludes nothing, untold
    @Test(arguments: ["", ".", "./", "..", "../App", "App/../B", "/"])
    func `a pattern that no path can fit is refused`(_ pattern: String) {
        #expect(PathPattern(pattern) == nil)
        #expect(throws: Configuration.Failure.self) {
            try Configuration(text: Array("{\"exclude\": [\"\(pattern)\"]}".utf8), knownRules: [])
        }
    }

    @Test func `no pattern takes long`() throws {
        let path = String(repeating: "a", count: 2_000) + "/" + String(repeating: "a/", count: 1_000)
        let pattern = try #require(
            PathPattern(String(repeating: "*a", count: 400) + "b/" + String(repeating: "**/", count: 400) + "b"))
        let begin = ContinuousClock.now
        #expect(!pattern.matches(path))
        #expect(ContinuousClock.now - begin < .seconds(10))
    }

    // MARK: Revision

    @Test func `only what a change brought counts, wherever its place is`() throws {
        let project = try Project(["Old.swift": "func f() { shout(old) }\n", "Sub/A.swift": "func a() {}\n"])
        try project.git("init", "-q")
        try project.git("add", ".")
        try project.git("commit", "-qm", "first")
        let index = try Data(contentsOf: URL(filePath: project.folder + "/.git/index"))
        try project.write("// above\nfunc f() { shout(old) }\nfunc g() { shout(new) }\n", "Old.swift")
        try project.write("func a() { shout(untracked) }\n", "Sub/B.swift")
        let report = try project.report { $0.revision = "HEAD" }
        #expect(report.findings.map(\.standing) == [.older, .open, .open])
        #expect(try Data(contentsOf: URL(filePath: project.folder + "/.git/index")) == index)
        // A folder of the checkout, and one that is new.
        var settings = project.settings
        settings.root += "/Sub"
        settings.revision = "HEAD"
        var run = AuditRun(settings)
        #expect(try run.report().findings.map(\.standing) == [.open])
    }

    @Test(arguments: ["nothing", "--output=x", "HEAD:A.swift"])
    func `a revision that git doesn't know is refused`(_ revision: String) throws {
        let project = try Project(["A.swift": "\n"])
        try project.git("init", "-q")
        #expect(throws: Failure.self) { try project.report { $0.revision = revision } }
    }
}
