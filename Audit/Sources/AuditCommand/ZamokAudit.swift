// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import AuditRules
import Findings

/// The command `zamok-audit`.
package struct ZamokAudit: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "zamok-audit", abstract: "Find in an app's sources what leaks its users' data.",
        usage: """
            zamok audit [<options>] [<path>]
            zamok audit explain <rule>
            zamok audit rules
            """,
        discussion: """
            Reads Swift, Objective-C, storyboards, property lists, entitlements and build settings together, and tells each place with the way that led \
            there. Nothing is changed without --fix --apply, and nothing leaves the machine.

            EXAMPLES:
              zamok audit .
              zamok audit . --format html -o report.html
              zamok audit . --write-baseline audit-baseline.json
              zamok audit . --baseline audit-baseline.json --changed-since main
              zamok audit . --fix
              zamok audit explain secure-entry

            OPTIONS of an audit: zamok audit check --help

            SILENCE a finding with a comment beside it: // zamok:allow(secure-entry) a recovery code that is shown on purpose

            EXIT STATUS: 0 no findings, 1 findings, 2 a part could not be read (whatever was found in the rest), 64 wrong words, configuration, baseline or output.
            """,
        version: "zamok-audit \(Version.text)",
        subcommands: [CheckCommand.self, ExplainCommand.self, RulesCommand.self], defaultSubcommand: CheckCommand.self)

    package init() {}
}

/// `zamok-audit explain RULE`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Say what a rule looks for, why, and what to do.")

    @Argument(help: "The rule, such as secure-entry, or its group, such as R1.")
    var rule: String

    func run() throws {
        let rules = Rulebook.whole.descriptions.filter {
            $0.id == rule || $0.category.lowercased() == rule.lowercased()
        }
        guard !rules.isEmpty else {
            throw Failure(message: "there is no rule \"\(rule.printable)\"; zamok-audit rules lists them")
        }
        try Output.write(rules.map(\.page).joined(separator: "\n"))
    }
}

/// `zamok-audit rules`
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rules", abstract: "List the rules.")

    func run() throws {
        let rows = Rulebook.whole.descriptions.map { rule in
            rule.id.padded(22) + rule.category.padded(9) + rule.masvs.padded(20) + "CWE-\(rule.cwe)".padded(10)
                + rule.title
        }
        try Output.write((rows + [""]).joined(separator: "\n"))
    }
}

/// The rules of an audit.
struct Rulebook: Sendable {
    static let whole = Rulebook(allRules)

    let rules: [any Rule]
    let descriptions: [RuleDescription]
    /// Identifiers and groups.
    let names: Set<String>
    private let categories: [String: String]

    init(_ rules: [any Rule]) {
        self.rules = rules
        descriptions = rules.map { type(of: $0).description }
        names = Set(descriptions.flatMap { [$0.id, $0.category] })
        categories = Dictionary(descriptions.map { ($0.id, $0.category) }) { first, _ in first }
    }

    /// The group of a rule.
    func category(_ rule: String) -> String { categories[rule] ?? "" }
}

extension RuleDescription {
    fileprivate var page: String {
        """
        \(id): \(title)
        \(category), \(masvs), CWE-\(cwe)

        \(explanation)

        REMEDY
        \(plainRemedy.indented)

        WITH ZAMOK
        \(zamokRemedy.indented)

        SILENCE
          // zamok:allow(\(id)) the reason, on the line or right above it

        """
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }.joined(
            separator: "\n")
    }
}
