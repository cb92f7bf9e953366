// SPDX-License-Identifier: Apache-2.0

import AuditRules
import Findings
import Foundation
import Testing

@testable import AuditCommand

/// Each remedy in plain Swift, type-checked against declarations of what it calls (`Audit/Tests/StandIns`).
@Suite("Remedies")
struct RemedyTests {
    /// What is round a remedy: declarations before it, and whether it is a body or a declaration itself. Rules without
    /// an entry have a remedy that is no Swift.
    private static let surroundings: [String: (before: String, isBody: Bool)] = [
        "secure-entry": ("let passwordField = UITextField(); @State var password = \"\"", true),
        "snapshot-cover": ("var window: UIWindow?; let cover = UIView()", false),
        "unchecked-input": (
            "enum Trouble { case notAnAmount }; func show(_ what: Trouble) {}\nlet field = UITextField(); let text = \"\"; var components = URLComponents()",
            true
        ),
        "secret-in-store": ("let token = \"\"", true),
        "field-not-cleared": ("let passwordField = UITextField()", false),
        "file-protection": ("let data = Data(); let url = URL(fileURLWithPath: \"/\")", true),
        "keychain-use": (
            "let query: [String: Any] = [:], find: [String: Any] = [:], change: [String: Any] = [:]", true
        ),
        "insecure-archive": ("let data = Data()", true),
        "secret-in-log": ("struct User { var id = 1 }; let user = User(); let logger = Logger()", true),
        "secret-on-pasteboard": ("let code = \"\"", true),
        "secret-in-url": ("let url = URL(fileURLWithPath: \"/\"), token = \"\"", true),
        "weak-cryptography": ("let secret = \"\", key = SymmetricKey()", true),
    ]

    // Rule: a remedy compiles | a class without its initializer, a constant that is assigned | the compiler refuses it
    @Test func `every remedy that is Swift compiles`() throws {
        var source = "import Foundation\n"
        for rule in allRules.map({ type(of: $0).description }) {
            guard let (before, isBody) = Self.surroundings[rule.id] else { continue }
            let name = rule.id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            let remedy =
                isBody ? "func remedy() throws {\n\(before)\n\(rule.plainRemedy)\n}" : "\(before)\n\(rule.plainRemedy)"
            source +=
                isBody ? "enum \(name) { static \(remedy) }\n" : "class \(name): UIViewController {\n\(remedy)\n}\n"
        }
        let project = try Project(["Remedies.swift": source])
        let standIns = URL(filePath: #filePath).appending(path: "../../StandIns/Apple.swift").standardized.path
        let checked = try run(
            "swiftc",
            ["-typecheck", "-parse-as-library", "-swift-version", "5", standIns, project.folder + "/Remedies.swift"])
        #expect(checked.status == 0, "\(checked.errors)\n\(source)")
    }
}
