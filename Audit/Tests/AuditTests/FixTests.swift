// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings
import Foundation
import Testing

@testable import AuditCommand

/// The changes of the rules: each removes its finding, brings none, and leaves what Swift's compiler and a reader of XML take.
@Suite("Changes that remove findings")
struct FixTests {
    /// A place that leaks, in a file of Swift, and what the change makes of its line; nil where none is safe.
    struct Case: Sendable, CustomTestStringConvertible {
        var before: String
        var after: String?
        var testDescription: String { before }
    }

    private static let inFunctions = [
        Case(before: #"print("got \(password)")"#, after: #"print("got <private>")"#),
        Case(before: #"print("got \( optional! ), \(count)")"#, after: #"print("got <private>, \(count)")"#),
        Case(before: ##"print(#"got \#(password)"#)"##, after: ##"print(#"got <private>"#)"##),
        Case(before: "print(password)", after: #"print("<private>")"#),
        Case(before: #"print("got", optional!)"#, after: #"print("got", "<private>")"#),
        Case(before: #"debugPrint("got " + password + "!")"#, after: #"debugPrint("got " + "<private>" + "!")"#),
        Case(before: #"NSLog("got \(password)")"#, after: #"NSLog("got <private>")"#),
        Case(
            before: #"logger.info("got \(password, privacy: .public)")"#,
            after: #"logger.info("got \(password, privacy: .private)")"#),
        Case(before: #"NSLog("got %@", password)"#),
        Case(before: #"print("got \(try! password)")"#),
        Case(before: #"print("got \(of: password)")"#),
        Case(
            before: "try password.write(to: url, atomically: true, encoding: .utf8)",
            after: "try Data(password.utf8).write(to: url, options: [.atomic, .completeFileProtection])"),
        Case(
            before: "try password.write(to: url, atomically: false, encoding: .utf8)",
            after: "try Data(password.utf8).write(to: url, options: .completeFileProtection)"),
        Case(before: "try optional!.write(to: url, atomically: true, encoding: .utf8)"),
        Case(before: "try password.write(to: url, atomically: true, encoding: .utf16)"),
        Case(
            before: "FileManager.default.createFile(atPath: url.path, contents: Data(password.utf8))",
            after:
                "FileManager.default.createFile(atPath: url.path, contents: Data(password.utf8), attributes: [.protectionKey: FileProtectionType.complete])"
        ),
        Case(
            before: "alert.addTextField { field in\n        field.placeholder = \"Password\"\n    }",
            after:
                "alert.addTextField { field in\n        field.placeholder = \"Password\"\n        field.isSecureTextEntry = true\n    }"
        ),
        Case(
            before: "alert.addTextField { $0.attributedPlaceholder = nil; $0.placeholder = \"Password\" }",
            after:
                "alert.addTextField { $0.attributedPlaceholder = nil; $0.placeholder = \"Password\"\n                                                         $0.isSecureTextEntry = true }"
        ),
    ]

    private static let inViews = [
        Case(before: #"TextField("PIN", text: $pin)"#, after: #"SecureField("PIN", text: $pin)"#),
        Case(
            before: #"TextField("PIN", text: $pin, prompt: Text("PIN"))"#,
            after: #"SecureField("PIN", text: $pin, prompt: Text("PIN"))"#),
        Case(before: #"TextField("PIN", text: $pin, onCommit: send)"#),
        Case(before: #"TextField("PIN", text: $pin) { _ in }"#),
        // Rule: no change where the type TextField is written | the change made all the same | it doesn't compile any more
        Case(
            before:
                #"field(TextField("Name", text: $name))\n    }\n    func other() -> TextField<Text> { TextField("PIN", text: $pin)"#
        ),
        Case(
            before: #"TextField("Recovery phrase", text: $recoveryPhrase)"#,
            after: #"TextField("Recovery phrase", text: $recoveryPhrase).autocorrectionDisabled()"#),
    ]

    private static func source(_ line: String, number: Int = 0) -> String {
        line.hasPrefix("TextField") || line.hasPrefix("SecureField")
            ? """
            import SwiftUI
            struct V\(number): View {
                @State private var pin = ""
                @State private var recoveryPhrase = ""
                var body: some View {
                    \(line)
                        .onDisappear { pin = ""; recoveryPhrase = "" }
                }
            }

            """
            : """
            import os
            func f\(number)(password: String, optional accessToken: String?, count: Int, url: URL, alert: UIAlertController, logger: Logger) throws {
                let optional = accessToken
                \(line)
            }

            """
    }

    /// The project after the changes that were tried.
    private func changed(_ project: Project) -> (fixes: Fixes, findings: [Finding]) {
        var settings = Settings(root: project.folder)
        settings.usesCache = false
        let audit = AuditRun(settings)
        let (raw, model) = audit.examine(audit.tree)
        return (FixRun.tried(raw.findings.filter { $0.certainty > .possible }, raw, model, audit), raw.findings)
    }

    // Rule: a change fits the content of the file | the range of the expression alone | `!` or a bracket is left over
    @Test(arguments: inFunctions + inViews)
    func `each change takes what belongs to its place, and nothing else`(_ test: Case) throws {
        let project = try Project(["A.swift": Self.source(test.before)])
        let (fixes, findings) = changed(project)
        #expect(!findings.isEmpty)
        let text = fixes.texts["A.swift"].map { String(decoding: $0, as: UTF8.self) }
        #expect(text == test.after.map { Self.source($0) }, "\(findings.map(\.message))")
    }

    // MARK: Fifty places

    /// Every case that has a change, three times, and storyboards with ten fields.
    private func largeProject() throws -> (project: Project, places: Int) {
        let project = try Project()
        let cases = (Self.inFunctions + Self.inViews).filter { $0.after != nil }
        for number in 0..<3 {
            for (index, test) in cases.enumerated() {
                try project.write(
                    Self.source(test.before, number: number * 100 + index), "App/\(number)/F\(index).swift")
            }
        }
        let fields = (0..<10).map { number in
            "<textField placeholder=\"Password\" id=\"f\(number)\"><rect key=\"frame\" x=\"0\" y=\"\(number * 40)\" width=\"200\" height=\"34\"/>"
                + "<textInputTraits key=\"textInputTraits\"\(number % 2 == 0 ? "/>" : " keyboardType=\"numberPad\"/>")</textField>\n"
        }
        try project.write(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<document><scenes><scene><objects><viewController id=\"c\"><view key=\"view\" id=\"v\"><subviews>\n"
                + fields.joined() + "</subviews></view></viewController></objects></scene></scenes></document>\n",
            "App/Main.storyboard")
        return (project, cases.count * 3 + 10)
    }

    // Rule: what a change leaves compiles and the finding is gone | a change with a bracket too much | the file doesn't parse
    @Test func `fifty places are changed, parse, and bring nothing new`() throws {
        let (project, places) = try largeProject()
        #expect(places >= 50)
        func findings() throws -> [String: Int] {
            let rows = try run(program, [project.folder, "--no-cache", "--csv"]).output.split(separator: "\n")
                .dropFirst()
            return rows.reduce(into: [:]) { counts, row in
                let cells = row.split(separator: ",")
                counts["\(cells[2]) \(cells[5])", default: 0] += 1
            }
        }
        let before = try findings()
        let applied = try run(program, [project.folder, "--no-cache", "--fix", "--apply"])
        let after = try findings()
        #expect(before.values.reduce(0, +) - after.values.reduce(0, +) == places, "\(applied.errors)")
        #expect(after.allSatisfy { $0.value <= before[$0.key] ?? 0 })
        let files = FileManager.default.enumerator(atPath: project.folder)?.compactMap { $0 as? String } ?? []
        let sources = files.filter { $0.hasSuffix(".swift") }.map { "\(project.folder)/\($0)" }
        let parsed = try run("swiftc", ["-frontend", "-parse"] + sources)
        #expect(parsed.status == 0, "\(parsed.errors)")
        let document = XMLDocument(Array(try project.text("App/Main.storyboard").utf8))
        #expect(!document.isDamaged && document.elements.filter { $0["secureTextEntry"] == "YES" }.count == 10)
    }
}
