// SPDX-License-Identifier: Apache-2.0

import Statuses

/// How the command ends: 0, one of the numbers here, or the low byte of the OSStatus that an error comes down to.
enum ExitStatus {
    /// What was looked for in order to find fault was found: `doctor`, `profiles`, `files verify`, `files audit`, `port`, `audit`.
    static let findings: Int32 = 1
    /// Such a look could not be finished.
    static let notRun: Int32 = 2
    /// Some of it was done, and some was not; each part that was not was reported.
    static let inPart: Int32 = 3
    /// The words of the command line are wrong.
    static let usage: Int32 = 64
    /// The system does not say with which words the command was started.
    static let notSetUp: Int32 = 71
    /// `run`: the program is there and can't be started.
    static let notStarted: Int32 = 126
    /// `run`: there is no such program.
    static let noProgram: Int32 = 127

    /// One line of the page Documentation/Statuses.md.
    struct Row {
        /// The number, or how it is made.
        let status: String
        /// Apple's name, where it is the low byte of an OSStatus, and that number.
        let name: String
        let meaning: String
    }

    /// Every status there is, the smallest number first.
    static let table: [Row] = {
        let own: [(Int32, String)] = [
            (0, "Done; of what looks for findings: there are none."),
            (
                findings,
                "`doctor`, `profiles`, `files verify`, `files audit`, `port`, `audit`: there are findings. `credential docker`: what docker calls a failure, told on standard output."
            ),
            (notRun, "Those with findings: something could not be read, so that the findings may not be all."),
            (inPart, "Some of it was done, and some was not; each part that was not was told."),
            (usage, "The words of the command line are wrong; nothing was done."),
            (notSetUp, "The system does not say with which words the command was started."),
            (notStarted, "`run`, `audit`, `sync`: the program is there and can't be started."),
            (noProgram, "`run`, `audit`, `sync`: there is no such program."),
        ]
        let apples = Status.table.dropFirst().map { row in
            (Status(rawValue: row.rawValue).exitStatus, "\(row.name), \(row.rawValue)", row.meaning)
        }
        let all = own.map { ($0.0, "", $0.1) } + apples
        return all.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { Row(status: "\($0.0)", name: $0.1, meaning: $0.2) }
            + [Row(status: "128 + n", name: "", meaning: "Ended by signal n, 130 for Ctrl-C; `run`: its program was.")]
    }()
}
