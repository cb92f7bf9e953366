// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `zamok audit`: starts `zamok-audit` from the folder of this program.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Find in an app's sources what leaks its users' data.",
        discussion: """
            Reads Swift, Objective-C, storyboards, property lists, entitlements and build settings together. This is the program zamok-audit, which \
            has to lie beside zamok, since it brings a reader of Swift; another of that name in PATH is never started. Its options: zamok audit --help.

            EXAMPLES:
              zamok audit .
              zamok audit . --format html -o report.html
              zamok audit explain secure-entry
            """)

    @Argument(parsing: .captureForPassthrough, help: "The words of zamok-audit.")
    var words: [String] = []

    func run() throws { try ProgramBeside(name: "zamok-audit", script: "Scripts/build-audit").start(words, self) }
}
