// SPDX-License-Identifier: Apache-2.0

/// A small app, written by a generator, and the rule that is to find something in it.
struct GeneratedApp: Sendable {
    /// What it was made of: `tuple of a field into print`.
    var name: String
    var rule: String
    var files: [(path: String, text: String)]
}

/// Where a text comes from; `$E` in a carry is its expression.
struct LeakSource: Sendable {
    var name: String
    /// Declarations of the file.
    var file = ""
    /// Members of the class.
    var members = ""
    var parameters = ""
    /// A secret.
    var secret: String
    /// A text of the same form that is none.
    var harmless: String
}

/// How a text travels inside the app. `$E` is what it is made of, `$SINK` the place where it leaks.
struct LeakCarry: Sendable {
    var name: String
    var file = ""
    /// A file of its own.
    var other = ""
    var members = ""
    var body: String
    /// What the sink is given.
    var value: String
}

/// Where a text leaks; `$V` is the text.
struct LeakSink: Sendable {
    var name: String
    var rule: String
    var imports = ""
    var file = ""
    var other = ""
    var members = ""
    var body: String
}

enum LeakWriter {
    /// The app in which a source goes through a carry into a sink.
    static func app(_ source: LeakSource, _ carry: LeakCarry, _ sink: LeakSink, leaks: Bool) -> GeneratedApp {
        let sent = sink.body.replacing("$V", with: carry.value)
        func fill(_ text: String) -> String {
            text.replacing("$SINK", with: sent).replacing("$E", with: leaks ? source.secret : source.harmless)
        }
        let body = carry.body.contains("$SINK") || carry.members.contains("$SINK") || carry.other.contains("$SINK")
        let text = """
            import UIKit
            import Combine
            \(sink.imports)

            \(source.file)
            \(fill(carry.file))
            \(sink.file)

            final class Screen: UIViewController {
                \(source.members)
                \(fill(carry.members))
                \(sink.members)
                var bag = Set<AnyCancellable>()

                func act(\(source.parameters)) {
                    \(fill(carry.body))
                    \(body ? "" : fill("$SINK"))
                }
            }
            """
        var files = [(path: "App/Screen.swift", text: text)]
        for (path, other) in [("App/Support.swift", carry.other), ("App/Store.swift", sink.other)] where !other.isEmpty
        {
            files.append((path, "import UIKit\n\(fill(other))\n"))
        }
        return GeneratedApp(name: "\(carry.name) of \(source.name) into \(sink.name)", rule: sink.rule, files: files)
    }

    static let sources: [LeakSource] = [
        LeakSource(
            name: "a field",
            members: """
                @IBOutlet weak var passwordField: UITextField!
                    @IBOutlet weak var nicknameField: UITextField!
                """,
            secret: "(passwordField.text ?? \"\")", harmless: "(nicknameField.text ?? \"\")"),
        LeakSource(
            name: "a parameter", parameters: "password: String, nickname: String", secret: "password",
            harmless: "nickname"),
        LeakSource(
            name: "a property", members: "var accessToken = \"\"\n    var themeName = \"\"", secret: "accessToken",
            harmless: "themeName"),
        LeakSource(
            name: "a model", file: "struct Member { let fullName: String; let pinCode: String }",
            members: "var member: Member!",
            secret: "member.pinCode", harmless: "member.fullName"),
        LeakSource(
            name: "a dictionary", parameters: "json: [String: Any]",
            secret: "(json[\"access_token\"] as? String ?? \"\")",
            harmless: "(json[\"display_name\"] as? String ?? \"\")"),
        LeakSource(
            name: "a function",
            members:
                "func readPrivateKey() -> String { Vault.read(2) }\n    func readCatalogue() -> String { Vault.read(1) }",
            secret: "readPrivateKey()", harmless: "readCatalogue()"),
    ]

    static let carries: [LeakCarry] = plainCarries + functionCarries + memberCarries + joinedCarries

    /// Each carry with three sources and sinks.
    static func flows(leaks: Bool) -> [GeneratedApp] {
        carries.enumerated().flatMap { index, carry in
            let isFree = carry.members.contains("$E") || carry.other.contains("$E")
            let sources = isFree ? sources.filter(\.parameters.isEmpty) : sources
            return (0..<3).map { time in
                app(sources[(index + time) % sources.count], carry, sinks[(index + time) % sinks.count], leaks: leaks)
            }
        }
    }

    /// Each store with a source of its own; among the twins those that keep a secret well.
    static func stored(leaks: Bool) -> [GeneratedApp] {
        let plain = stores.enumerated().map { index, sink in
            app(sources[index % sources.count], plainCarries[index % 3], sink, leaks: leaks)
        }
        guard !leaks else { return plain }
        return plain
            + safeSinks.enumerated().map { index, sink in
                app(sources[index % sources.count], plainCarries[1], sink, leaks: true)
            }
    }
}
