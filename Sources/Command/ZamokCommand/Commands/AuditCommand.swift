// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Readers

/// `zamok audit`: starts the program beside this one.
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

    /// Its file name.
    static let program = "zamok-audit"

    @Argument(parsing: .captureForPassthrough, help: "The words of zamok-audit.")
    var words: [String] = []

    func run() throws {
        guard let own = Bundle.main.executablePath else {
            throw CommandFailure(exitStatus: ExitStatus.noProgram, message: "the system does not say where zamok lies")
        }
        let path = URL(fileURLWithPath: own).deletingLastPathComponent().appending(path: Self.program).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            guard words.first != "--help", words.first != "-h" else { throw CleanExit.helpRequest(self) }
            throw CommandFailure(
                exitStatus: ExitStatus.noProgram,
                message: "\(path.printable) is not there; build it with Scripts/build-audit, and put it beside zamok")
        }
        let problem = ReplacedProcess.start(path, words)
        throw CommandFailure(
            exitStatus: ExitStatus.notStarted, message: "\(path.printable) can't be started: \(problem.printable)")
    }
}
