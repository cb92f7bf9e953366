// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings
import Foundation
import Testing

@testable import AuditCommand

/// A folder of an app, removed with the value.
final class Project {
    let folder: String

    init(_ files: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "zamok audit \(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, path) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String, _ path: String) throws { try write(Data(text.utf8), path) }

    func write(_ data: Data, _ path: String) throws {
        let url = URL(fileURLWithPath: folder).appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    func text(_ path: String) throws -> String { try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8) }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: "\(folder)/\(path)") }

    /// An audit by the rule below alone, without a cache.
    var settings: Settings {
        var settings = Settings(root: folder)
        settings.rulebook = Rulebook([ShoutingRule()])
        settings.usesCache = false
        return settings
    }

    func report(_ change: (inout Settings) throws -> Void = { _ in }) throws -> Report {
        var settings = settings
        try change(&settings)
        var run = AuditRun(settings)
        return try run.report()
    }

    @discardableResult
    func git(_ words: String...) throws -> String {
        try run("git", ["-C", folder, "-c", "user.name=T", "-c", "user.email=t@example.com"] + words)
            .output
    }
}

@discardableResult
func run(
    _ program: String, _ words: [String], _ variables: [String: String] = [:], input: [UInt8] = []
) throws -> OtherProgram {
    try OtherProgram([program] + words, variables, input: input)
}

/// The program that was built with the tests.
let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "zamok-audit").path

/// Calls of `shout` leak: a rule whose findings are easy to foresee. A first argument that is the text `quiet` is fine, a second argument makes it sure,
/// and a call without arguments has a change that removes it.
struct ShoutingRule: Rule {
    static let description = RuleDescription(
        id: "shouting", category: "XLOG", title: "A secret is shouted", explanation: "Whoever stands near hears it.",
        masvs: "MASVS-STORAGE-2", cwe: 532, plainRemedy: "whisper(secret)", zamokRemedy: "keychain.add(secret)")

    func examine(_ project: ProjectModel) -> [Finding] {
        project.calls(to: "shout").compactMap { call in
            guard call.argument(nil)?.literal != "quiet" else { return nil }
            let span = call.expression.span
            return Finding(
                "shouting", at: call.place, "\"\(call.argument(nil)?.lastName ?? "it")\" is shouted",
                chain: [Step("the function begins", at: call.caller.place), Step("it is shouted", at: call.place)],
                certainty: call.arguments.count > 1
                    ? .sure : call.argument(nil)?.lastName == "maybe" ? .possible : .likely,
                fix: call.arguments.isEmpty
                    ? [Edit(file: call.place.file, range: Int(span.start)..<Int(span.end), text: "whisper()")] : [])
        }
    }
}
