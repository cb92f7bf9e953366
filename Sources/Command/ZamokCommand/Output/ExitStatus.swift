// SPDX-License-Identifier: Apache-2.0

import Statuses

/// The exit statuses of the command: 0, one of the numbers here, or the low byte of an error's `OSStatus`.
enum ExitStatus {
    /// One line of the page Documentation/Statuses.md.
    struct Row {
        /// The number, or how it is formed.
        let status: String
        /// Apple's name and number, if the status is the low byte of an `OSStatus`.
        let name: String
        let meaning: String
    }

    /// All statuses, in ascending order.
    static let table: [Row] = {
        let apples = Status.table.dropFirst().map { row in
            (Status(rawValue: row.rawValue).exitStatus, "\(row.name), \(row.rawValue)", row.meaning)
        }
        let all = own.map { ($0.0, "", $0.1) } + apples
        return all.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { Row(status: "\($0.0)", name: $0.1, meaning: $0.2) }
            + [Row(status: "128 + n", name: "", meaning: "Ended by signal n, 130 for Ctrl-C; `run`: its program was.")]
    }()
}
