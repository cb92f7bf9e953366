// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A worker on the keychain of a home.
final class WorkerProcess {
    let child: Child

    init(_ home: String, environment: [String: String] = [:]) throws {
        child = try Child("test-worker", ["keychain", home], environment: environment)
        try child.await("ready")
    }

    /// One command and its answer.
    func ask(_ words: String...) throws -> String {
        try child.send("\(words.joined(separator: "\t"))\n".utf8)
        return try child.line()
    }

    /// Begins to write without end; what it acknowledges is read by `acknowledged`.
    func write(_ prefix: String, _ accessibility: String = "ak") throws {
        try child.send("write\t\(prefix)\t\(accessibility)\n".utf8)
    }

    /// Kills it and reads what it had said until then.
    func killed() throws -> [Acknowledged] {
        child.kill(SIGKILL)
        // What is behind the last line end was cut off by the kill.
        let lines = try child.rest().text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.compactMap { Acknowledged(String($0)) }
    }
}

/// A line that a writer said after the call returned.
struct Acknowledged {
    let service: String
    let account: String
    let secret: String

    /// Nil for a line that the kill cut off, and for refusals because of a lock.
    init?(_ line: String) {
        let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 4, ["a", "u"].contains(words[0]) else { return nil }
        (service, account, secret) = (words[1], words[2], words[3])
    }
}
