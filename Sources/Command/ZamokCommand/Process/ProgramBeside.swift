// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Readers

/// A program that lies in the folder of `zamok`, for what brings libraries that `zamok` is spared. One of the same name in PATH is never started.
struct ProgramBeside {
    /// Its file name.
    let name: String
    /// The script that makes it.
    let script: String

    /// Goes on as the program; shows the help of `command` where the program is missing and help is all that was asked for.
    func start(_ words: [String], _ command: some ParsableCommand) throws -> Never {
        guard let own = Bundle.main.executablePath else {
            throw CommandFailure(exitStatus: ExitStatus.noProgram, message: "the system does not say where zamok lies")
        }
        let path = URL(fileURLWithPath: own).deletingLastPathComponent().appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            guard words.first != "--help", words.first != "-h" else { throw CleanExit.helpRequest(command) }
            throw CommandFailure(
                exitStatus: ExitStatus.noProgram,
                message: "\(path.printable) is not there; build it with \(script), and put it beside zamok")
        }
        let problem = ReplacedProcess.start(path, words)
        throw CommandFailure(
            exitStatus: ExitStatus.notStarted, message: "\(path.printable) can't be started: \(problem.printable)")
    }
}
