// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTools
import Testing

/// A pseudo terminal that the test plays, and that keeps every byte: tmux doesn't show what an emulator may keep of the alternate
/// screen after it was left.
@Suite("The alternate screen of a terminal")
struct LeavingTests {
    private let secret = "CARD-4111"
    private let leaving = "\u{1B}[?1049l"

    @Test("is emptied before it is left, by the program or by its supervisor", arguments: [false, true])
    func emptied(isKilled: Bool) throws {
        let terminal = try Terminal()
        let log = FileManager.default.temporaryDirectory.appending(path: "zamok-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: log) }
        let supervisor = try Child(
            "terminal-privacy-probe", ["screen"],
            environment: ["TERM": "xterm-256color", "PROBE_TERMINAL": terminal.path, "PROBE_LOG": log.path])
        try terminal.wait(for: secret)
        if isKilled {
            let started = try String(contentsOf: log, encoding: .utf8).split(separator: " ")
            kill(try #require(started.count > 1 ? Int32(started[1]) : nil), SIGKILL)
        } else {
            try terminal.type("q")
        }
        let end = ContinuousClock.now + .seconds(60)
        while !terminal.screen.contains(leaving), ContinuousClock.now < end {
            try terminal.look()
            usleep(5_000)
        }
        let shown = terminal.screen
        let left = try #require(shown.range(of: leaving)).lowerBound
        let last = shown[..<left].range(of: secret, options: .backwards)?.upperBound ?? shown.startIndex
        #expect(shown[last..<left].contains("\u{1B}[2J"))
        supervisor.kill(SIGKILL)
    }
}
