// SPDX-License-Identifier: Apache-2.0

import Findings
import Foundation
import Testing

@testable import AuditCommand

@Suite("What an audit tells")
struct ReportTests {
    private static let app = [
        "App/Login.swift":
            "class Login {\n    func go() {\n        shout(password)\n        shout(\"quiet\")\n    }\n}\n",
        "App/A, b: 100% <b>.swift": "func f() { shout(pin, loudly: true) }\n",
    ]

    @Test func `0 for nothing, 1 for findings, 2 for what could not be read, whatever was found`() throws {
        let clean = try Project(["A.swift": "func f() {}\n"]).report()
        #expect(clean.exitStatus == 0)
        let project = try Project(Self.app)
        #expect(try project.report().exitStatus == 1)
        try FileManager.default.createSymbolicLink(
            atPath: project.folder + "/Gone.swift", withDestinationPath: "nowhere.swift")
        let report = try project.report()
        #expect(report.exitStatus == 2 && report.open.count == 2)
        #expect(report.unread.map(\.path) == ["Gone.swift"])
    }

    @Test func `the terminal shows the place, the line, the way and what to type next`() throws {
        let text = TerminalOutput(try Project(Self.app).report()).text
        #expect(
            text.hasSuffix(
                """
                App/Login.swift:3:9: warning: "password" is shouted [shouting]
                  1 | class Login {
                  2 |     func go() {
                  3 |         shout(password)
                    |         ^
                  4 |         shout("quiet")
                  5 |     }
                  why here:
                    1. the function begins
                       App/Login.swift:2:10  func go() {
                    2. it is shouted
                       App/Login.swift:3:9  shout(password)
                  zamok audit explain shouting

                2 findings (1 sure, 1 likely)
                2 files examined

                """), "\(text)")
    }

    @Test func `names that a terminal would obey are escaped in every form`() throws {
        let project = try Project(["A\u{1B}[31m\u{202E}.swift": "func f() { shout(pin) } // \u{1B}]0;x\u{7}\n"])
        let report = try project.report()
        let forms = [
            TerminalOutput(report).text, CompilerOutput.text(report, root: "/x"), HTMLOutput(report).text,
            Encoded.page(report),
            SARIFOutput.text(report),
        ]
        for text in forms { #expect(!text.contains("\u{1B}"), "\(text)") }
    }

    // Rule: JSON hides no mark of direction and no control | the text as the encoder gives it | U+202E reverses a name in an editor
    @Test func `what an editor wouldn't show is escaped in JSON, and reads as before`() throws {
        let text = "a\u{9B}b\u{202E}c\u{2028}d\u{E0041}\u{1F600}"
        let project = try Project(["A.swift": "func f() { shout(pin) } // \(text)\n"])
        let report = try project.report()
        for page in [Encoded.page(report), SARIFOutput.text(report)] {
            for scalar in ["\u{9B}", "\u{202E}", "\u{2028}", "\u{E0041}"] as [Unicode.Scalar] {
                #expect(!page.unicodeScalars.contains(scalar))
            }
        }
        struct Text: Codable, Equatable { var text: String }
        let page = Encoded.page(Text(text: text))
        #expect(page.contains(#"a\u009bb\u202ec\u2028d\udb40\udc41"#) && page.contains("\u{1F600}"))
        #expect(try JSONDecoder().decode(Text.self, from: Data(page.utf8)) == Text(text: text))
    }

    // Rule: a cell is no formula | the text as it is | a spreadsheet calculates the name of a file
    @Test func `a cell that a spreadsheet would calculate begins with an apostrophe`() throws {
        let project = try Project(["=1+1.swift": "func f() { shout(pin) }\n"])
        let text = CSVOutput.text(try project.report(), app: "@app")
        #expect(text.contains("zamok-audit,'@app,'=1+1.swift,1,"))
    }

    @Test func `a row of CSV keeps commas and quotation marks in their cell`() throws {
        let text = CSVOutput.text(try Project(Self.app).report(), app: "demo")
        #expect(
            text == """
                tool,app,file,line,category,rule_id,message
                zamok-audit,demo,"App/A, b: 100% <b>.swift",1,XLOG,shouting,\"\""pin"" is shouted\"
                zamok-audit,demo,App/Login.swift,3,XLOG,shouting,\"\""password"" is shouted\"

                """)
    }

    @Test func `annotations keep what GitHub's commands read as marks`() throws {
        let text = GitHubOutput.text(try Project(Self.app).report())
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines[0].hasPrefix(
                "::error file=App/A%2C b%3A 100%25 <b>.swift,line=1,col=12,title=A secret is shouted [shouting]::\"pin\" is shouted%0A1. the function begins"
            ), "\(lines[0])")
        #expect(lines[1].hasPrefix("::warning file=App/Login.swift,line=3,col=9,"))
    }

    @Test func `a report hides the secret that a finding in the source is about`() {
        var sources = SourceLines { _ in "let a = 1\nlet key = \"sk_live_51abc\" // \"b\"\n<string>hidden</string>\n" }
        let excerpt = sources.excerpt(Place(file: "A.swift", line: 2), around: 1, hidingTexts: true)
        #expect(
            excerpt.lines == ["let a = 1", "let key = \"s••••••••••••\" // \"b\"", "<string>h•••••</string>"])
    }

    @Test func `columns count the characters of a line in SARIF`() throws {
        let project = try Project(["A.swift": "func f() { /* żółw */ shout(pin) }\n"])
        let report = try project.report()
        #expect(report.findings[0].finding.place.column == 26)
        #expect(SARIFOutput.text(report).contains("\"startColumn\" : 23"))
    }

    @Test func `the page has no element that a source brought`() throws {
        let project = try Project([
            "<script>alert(1)</script>.swift": "func f() { shout(pin, \"</script><script>alert(2)</script>\") }\n"
        ])
        let page = HTMLOutput(try project.report()).text
        #expect(page.components(separatedBy: "<script>").count == 2)
        #expect(page.contains("&lt;script&gt;alert(1)"))
        #expect(!page.contains("unsafe-inline") && !page.contains("http:") && !page.contains("https:"))
    }
}

@Suite("Forms that have a schema")
struct SchemaTests {
    private static let hasValidator = (try? run("/usr/bin/env", ["python3", "-c", "import jsonschema"]))?.status == 0
    private static let sarif = ProcessInfo.processInfo.environment["ZAMOK_SARIF_SCHEMA"]
    /// Audit/Schemas.
    private static let schemas = URL(filePath: #filePath).appending(path: "../../../Schemas").standardized.path

    private func whole() throws -> (Project, Report) {
        let project = try Project([
            "A b.swift": "func f() {\n    shout(a)\n    shout()\n    shout(b) // zamok:allow(shouting) a test\n}\n",
            "Old.swift": "func g() { shout(old) }\n",
        ])
        var first = AuditRun(project.settings)
        let report = try first.report()
        let baseline = Baseline(report.findings.filter { $0.finding.place.file == "Old.swift" }, &first.sources)
        try project.write("func g() { shout(old) }\n", "Pods/Pod.swift")
        try FileManager.default.createSymbolicLink(atPath: project.folder + "/L.swift", withDestinationPath: "/nowhere")
        return (project, try project.report { $0.baseline = baseline })
    }

    private func validate(_ text: String, _ schema: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "zamok-audit-\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[2]))
            jsonschema.validators.validator_for(schema).check_schema(schema)
            jsonschema.validate(json.load(open(sys.argv[1])), schema)
            """
        let ended = try run("/usr/bin/env", ["python3", "-c", script, file.path, schema])
        #expect(ended.status == 0, "\(ended.errors.suffix(1500))")
    }

    @Test(.enabled(if: hasValidator, "python3 has no module jsonschema"))
    func `the report and the baseline are valid under the schemas in the tree`() throws {
        let (_, report) = try whole()
        #expect(Set(report.findings.map(\.standing)) == [.open, .allowed, .baseline])
        try validate(Encoded.page(report), Self.schemas + "/report.schema.json")
        var sources = SourceLines { _ in "" }
        try validate(Baseline(report.findings, &sources).text, Self.schemas + "/baseline.schema.json")
    }

    @Test(.enabled(if: hasValidator, "python3 has no module jsonschema"))
    func `a configuration that is taken is valid under its schema`() throws {
        let text = """
            {"$schema": "x", "rules": {"shouting": "sure", "XLOG": "off"}, "minCertainty": "possible", "exclude": ["Old/**"], "own": ["external"],
             "thirdParty": ["Lib"], "baseline": "b.json", "paths": [{"path": "A", "reason": "r", "rules": {"XLOG": "likely"}, "minCertainty": "off"}]}
            """
        _ = try Configuration(text: Array(text.utf8), knownRules: ["shouting", "XLOG"])
        try validate(text, Self.schemas + "/configuration.schema.json")
    }

    @Test(.enabled(if: sarif != nil && hasValidator, "ZAMOK_SARIF_SCHEMA does not name the schema of SARIF 2.1.0"))
    func `the log is valid under the schema of SARIF`() throws {
        try validate(SARIFOutput.text(try whole().1), try #require(Self.sarif))
    }

    @Test func `the log has the flow, the standing and what was not read`() throws {
        let (_, report) = try whole()
        let log = try #require(
            try JSONSerialization.jsonObject(with: Data(SARIFOutput.text(report).utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == report.findings.count)
        for result in results {
            let flow = try #require(
                (result["codeFlows"] as? [[String: Any]])?.first?["threadFlows"] as? [[String: Any]])
            #expect((flow.first?["locations"] as? [Any])?.count == 2)
        }
        let kinds = results.map { ($0["suppressions"] as? [[String: Any]])?.first?["kind"] as? String }
        #expect(kinds == [nil, nil, "inSource", "external"])
        let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == false)
        #expect((invocation["toolExecutionNotifications"] as? [Any])?.count == 1)
    }
}
