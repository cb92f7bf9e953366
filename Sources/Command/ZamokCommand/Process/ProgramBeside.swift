// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Readers

/// A program in the folder of `zamok`, for features whose libraries `zamok` doesn't link. A program of the same name in
/// `PATH` is never started.
struct ProgramBeside {
    /// Its file name.
    let name: String
    /// The script that builds it.
    let script: String

    /// Replaces this process by the program. If the program is missing and only help is requested, shows the help
    /// of `command`.
    func start(_ words: [String], _ command: some ParsableCommand) throws -> Never {
        guard let own = OwnProgram.path else {
            throw CommandFailure(exitStatus: ExitStatus.noProgram, message: "the system does not say where zamok lies")
        }
        let path = URL(fileURLWithPath: own).deletingLastPathComponent().appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            guard words.first != "--help", words.first != "-h" else { throw CleanExit.helpRequest(command) }
            throw CommandFailure(
                exitStatus: ExitStatus.noProgram,
                message:
                    "\(path.printable) is not there; install the package \(name), or build it with \(script) and put it beside zamok"
            )
        }
        let problem = ReplacedProcess.start(path, words)
        throw CommandFailure(
            exitStatus: ExitStatus.notStarted, message: "\(path.printable) can't be started: \(problem.printable)")
    }
}
