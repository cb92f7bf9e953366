// SPDX-License-Identifier: Apache-2.0

import TestTools

/// Another process that works on a home (Tests/KeybagWorker).
final class Worker {
    let child: Child

    init(_ path: String, umask: Int? = nil, environment: [String: String] = [:]) throws {
        let mask = umask.map { ["--umask", String($0, radix: 8)] } ?? []
        child = try Child("keybag-worker", [path] + mask, environment: environment)
    }

    /// Its answer to a command.
    func ask(_ command: String) throws -> String {
        try child.send("\(command)\n".utf8)
        return try child.line()
    }

    /// Gives a command that it may not survive; its answer, or nil.
    func tell(_ command: String) -> String? { try? ask(command) }
}
