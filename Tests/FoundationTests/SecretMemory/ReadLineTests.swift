// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A program that asks on a terminal, run as a shell runs it.
private final class Asked {
    let terminal: Terminal
    let leader: Child
    let process: Int32

    init(_ scenario: String = "ask") throws {
        terminal = try Terminal()
        #expect(terminal.echoes)
        leader = try Child("test-worker", ["prompt", "lead", terminal.path, scenario])
        process = Int32(try leader.line().split(separator: " ").last ?? "") ?? -1
        #expect(process > 0)
    }

    /// Waits for the prompt, which is shown when nothing typed is shown any more.
    func awaitPrompt() throws {
        try terminal.wait(for: "code: ")
        #expect(!terminal.echoes)
    }

    /// Sent only by a test that waits for its effect.
    func send(_ signal: Int32) { kill(process, signal) }
}

struct `Prompt for a secret` {
    @Test func `the answer is what was typed, and the terminal doesn't show it`() throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        try asked.terminal.type("open sesame\r")
        #expect(try asked.leader.line() == "answer open sesame")
        #expect(try asked.leader.line() == "ended 0")
        #expect(asked.terminal.echoes)
        try asked.terminal.look()
        #expect(!asked.terminal.screen.contains("sesame"))
    }

    @Test func `what may be seen is shown while it is typed, once`() throws {
        let asked = try Asked("show")
        try asked.terminal.wait(for: "code: ")
        #expect(asked.terminal.echoes)
        try asked.terminal.type("yex\u{7F}s\r")
        #expect(try asked.leader.line() == "answer yes")
        #expect(try asked.leader.line() == "ended 0")
        #expect(asked.terminal.echoes)
        try asked.terminal.look()
        #expect(asked.terminal.screen == "yex\u{8} \u{8}s\r\n")
    }

    @Test func `Ctrl-C cancels a question whose answer may be seen, and its line ends`() throws {
        let asked = try Asked("show")
        try asked.terminal.wait(for: "code: ")
        try asked.terminal.type("ye\u{3}")
        #expect(try asked.leader.line() == "error cancelled")
        #expect(try asked.leader.line() == "ended 0")
        try asked.terminal.look()
        #expect(asked.terminal.screen.hasSuffix("\r\n"))
    }

    @Test func `control characters of the prompt don't reach the terminal`() throws {
        let asked = try Asked()
        try asked.terminal.wait(for: "Pass\\u{1b}code: ")
        try asked.terminal.type("\r")
        #expect(try asked.leader.line() == "answer ")
    }

    @Test(arguments: [("ab\u{7F}c\r", "ac"), ("wrong\u{15}right\r", "right"), ("half\u{4}\u{4}", "half"), ("é\n", "é")])
    func `the terminal edits the line`(typed: String, answer: String) throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        try asked.terminal.type(typed)
        #expect(try asked.leader.line() == "answer \(answer)")
    }

    @Test(arguments: ["\u{3}", "secr\u{3}", "\u{4}"])
    func `Ctrl-C, and Ctrl-D on an empty line, cancel`(typed: String) throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        try asked.terminal.type(typed)
        #expect(try asked.leader.line() == "error cancelled")
        #expect(try asked.leader.line() == "ended 0")
        #expect(asked.terminal.echoes)
    }

    @Test(arguments: [(4093, true), (4094, true), (4095, false), (4096, false), (6000, false)])
    func `a line that the terminal can't pass on whole is refused`(length: Int, isTaken: Bool) throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        let text = String(repeating: "x", count: length)
        try asked.terminal.type(text + "\r")
        #expect(try asked.leader.line() == (isTaken ? "answer \(text)" : "error line too long"))
        #expect(try asked.leader.line() == "ended 0")
        #expect(asked.terminal.echoes)
    }

    @Test func `without a terminal there is an error at once`() throws {
        let (text, status) = try Child("test-worker", ["prompt", "alone", "ask"]).rest()
        #expect(text == "error no terminal\n")
        #expect(status == 0)
    }

    @Test(.disabled(if: MemorySearch.isHindered))
    func `the answer is in secret memory only`() throws {
        let asked = try Asked("hold")
        try asked.awaitPrompt()
        try asked.terminal.type("an uncommon passcode\r")
        #expect(try asked.leader.line() == "holding 20")
        let needle = Array("uncommon passcode".utf8)
        #expect(try MemorySearch.search(process: asked.process, for: [needle]) == [])
        let hits = try MemorySearch.search(process: asked.process, for: [needle], inArena: true)
        #expect(hits.map(\.place) == [.arena])
        try asked.leader.proceed()
    }
}

struct `Signals at a prompt` {
    // A sanitizer takes SIGSEGV for itself.
    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGABRT, SIGPIPE] + (isSanitized ? [] : [SIGSEGV]))
    func `the terminal shows again what is typed when a signal ends the program`(signal: Int32) throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        asked.send(signal)
        #expect(try asked.leader.line() == "ended \(128 + signal)")
        #expect(asked.terminal.echoes)
    }

    @Test func `an interrupt cancels the prompt and leaves the program alive`() throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        asked.send(SIGINT)
        #expect(try asked.leader.line() == "error cancelled")
        #expect(try asked.leader.line() == "ended 0")
        #expect(asked.terminal.echoes)
    }

    @Test func `a handler of the program's runs, with the terminal restored`() throws {
        let asked = try Asked("handle")
        try asked.awaitPrompt()
        asked.send(SIGTERM)
        #expect(try asked.leader.line() == "handled, echo 1")
        #expect(try asked.leader.line() == "error cancelled")
        #expect(asked.terminal.echoes)
    }

    @Test func `stopped, it gives the terminal back; continued, it asks anew`() throws {
        let asked = try Asked()
        for _ in 0..<3 {
            try asked.awaitPrompt()
            try asked.terminal.type("half a secr\u{1A}")
            #expect(try asked.leader.line() == "stopped \(SIGTSTP)")
            #expect(asked.terminal.echoes)
            try asked.leader.proceed()
        }
        try asked.awaitPrompt()
        try asked.terminal.type("whole\r")
        #expect(try asked.leader.line() == "answer whole")
        #expect(asked.terminal.echoes)
    }

    @Test func `continued after a stop that nothing can catch, it hides again what is typed`() throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        asked.send(SIGSTOP)
        #expect(try asked.leader.line() == "stopped \(SIGSTOP)")
        try asked.leader.proceed()
        try asked.awaitPrompt()
        try asked.terminal.type("whole\r")
        #expect(try asked.leader.line() == "answer whole")
        #expect(asked.terminal.echoes)
    }

    @Test func `a program that exits elsewhere restores the terminal`() throws {
        let asked = try Asked("exit")
        try asked.awaitPrompt()
        try asked.leader.proceed()
        #expect(try asked.leader.line() == "ended 7")
        #expect(asked.terminal.echoes)
    }
}
