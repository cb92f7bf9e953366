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
        try terminal.answerAsXterm()
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

extension Terminal {
    /// Answers a program's questions at its start as xterm does: it has another screen, and the cursor comes back from there.
    func answerAsXterm() throws {
        try wait(for: "\u{1B}[6n\u{1B}[c")
        try type("\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[>41;379;0c\u{1B}[5;1R\u{1B}[?64c")
        try wait(for: "\u{1B}[6n\u{1B}[c")
        try type("\u{1B}[?1049;1$y\u{1B}[5;1R\u{1B}[?64c")
    }
}

/// A terminal that answers otherwise: what the program makes of it.
@Suite("A terminal's answers")
struct TerminalAnswerTests {
    private func start(_ second: String) throws -> (Terminal, Child) {
        let terminal = try Terminal()
        let program = try Child(
            "terminal-privacy-probe", ["screen", "--alone"],
            environment: ["TERM": "xterm-256color", "PROBE_TERMINAL": terminal.path])
        try terminal.wait(for: "\u{1B}[6n\u{1B}[c")
        try terminal.type("\u{1B}[5;1R\u{1B}[?64c")
        try terminal.wait(for: "\u{1B}[6n\u{1B}[c")
        try terminal.type(second)
        return (terminal, program)
    }

    @Test(
        "decide whether anything is drawn: its word on the other screen, or the cursor that comes back from there",
        arguments: [
            "\u{1B}[?1049;1$y\u{1B}[5;1R\u{1B}[?64c", "\u{1B}[?1049;0$y\u{1B}[5;1R\u{1B}[?64c",
            "\u{1B}[5;1R\u{1B}[?64c",
        ])
    func drawn(answers: String) throws {
        let (terminal, program) = try start(answers)
        // No line goes on in the next one.
        try terminal.wait(for: "\u{1B}[?7l")
        try terminal.wait(for: "CARD-4111")
        try terminal.type("q")
        try terminal.wait(for: "\u{1B}[?7h")
        program.kill(SIGKILL)
    }

    @Test(
        "keep the program from starting where they say no, and where the cursor stays",
        arguments: ["\u{1B}[?1049;2$y\u{1B}[5;1R\u{1B}[?64c", "\u{1B}[1;2R\u{1B}[?64c"])
    func refused(answers: String) throws {
        let (terminal, program) = try start(answers)
        let (text, status) = try program.rest()
        #expect(status == 3 && text.contains("probe fails"))
        try terminal.look()
        #expect(!terminal.screen.contains("CARD-4111") && !terminal.screen.contains("\u{1B}[?7l"))
    }

    @Test("that don't come keep it from starting too")
    func silent() throws {
        let terminal = try Terminal()
        let program = try Child(
            "terminal-privacy-probe", ["screen", "--alone"],
            environment: ["TERM": "xterm-256color", "PROBE_TERMINAL": terminal.path])
        let (text, status) = try program.rest()
        #expect(status == 3 && text.contains("probe fails"))
        try terminal.look()
        #expect(!terminal.screen.contains("CARD-4111"))
    }
}
