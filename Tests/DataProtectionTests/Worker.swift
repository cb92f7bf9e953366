// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension Child {
    /// Waits until the program stopped itself; false if it says something in place of that.
    func waitUntilStopped() -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
            if status?.contains(") T ") == true { return true }
            if hasSpoken { return false }
        }
        return false
    }
}

/// Another process that works on a home (Tests/KeybagWorker).
final class Worker {
    let child: Child

    init(_ path: String, umask: Int? = nil, environment: [String: String] = [:]) throws {
        let mask = umask.map { ["--umask", String($0, radix: 8)] } ?? []
        child = try Child(
            "test-worker", ["keybag", path] + mask + (environment.isEmpty ? [] : ["--environment"]),
            environment: environment)
    }

    /// A worker that `launcher` starts: a program of the system and its arguments, in place of which the worker runs
    /// then.
    init(_ path: String, through launcher: [String], environment: [String: String] = [:]) throws {
        let rest = launcher.dropFirst() + [try Tool.worker.path, "keybag", path, "--environment"]
        child = try Child(launcher[0], Array(rest), environment: environment)
    }

    /// Its answer to a command.
    func ask(_ command: String) throws -> String {
        try child.send("\(command)\n".utf8)
        return try child.line()
    }

    /// Gives a command that it may not survive; its answer, or nil.
    func tell(_ command: String) -> String? { try? ask(command) }
}
