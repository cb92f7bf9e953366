// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A program that asks on a terminal, run as a shell runs it.
private final class Asked {
    let terminal: Terminal
    let leader: Child
    let process: Int32
    /// The terminal's settings at the start.
    let before: termios

    init(_ scenario: String = "ask", by leader: String = "lead", settings: OddSettings? = nil) throws {
        terminal = try Terminal()
        if let settings { settings.set(&terminal.settings) }
        before = terminal.settings
        #expect(terminal.echoes == (settings != .raw))
        self.leader = try Child("test-worker", ["prompt", leader, terminal.path, scenario])
        process = Int32(try self.leader.line().split(separator: " ").last ?? "") ?? -1
        #expect(process > 0)
    }

    /// Waits for the prompt, which is shown when nothing typed is shown any more.
    func awaitPrompt() throws {
        try terminal.wait(for: "code: ")
        #expect(!terminal.echoes)
    }

    /// Types, and waits until the program has read it.
    func typeAndWait(_ text: String) throws {
        try terminal.type(text)
        try poll("what was typed is read") { terminal.waiting == 0 }
    }

    func poll(_ what: Comment, until condition: () -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            try #require(ContinuousClock.now < end, what)
            usleep(2_000)
        }
    }

    /// The second process beside the prompt: the one child of the program.
    func keeper() throws -> Int32 {
        let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return try #require(Int32(children.split(separator: " ").first ?? ""))
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

    @Test(arguments: [
        ("ab\u{7F}c\r", "ac"), ("ab\u{8}c\r", "ac"), ("wrong\u{15}right\r", "right"), ("half\u{4}\u{4}", "half"),
        ("half\u{4}whole\r", "halfwhole"), ("é\n", "é"), ("two words\u{17}rules\r", "two rules"),
        ("a\u{16}\u{15}b\r", "a\u{15}b"), ("\u{7F}a\r", "a"),
    ])
    func `the line is edited as a terminal does`(typed: String, answer: String) throws {
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

    // Rule: a prompt sets every flag that it relies on | flags and keys left as they were
    // Rule: Enter ends the line though the terminal has another use for it | only letters changed | no answer
    @Test(arguments: OddSettings.allCases, ["ask", "show"])
    func `what is typed arrives as it was, in a terminal that was set for something else`(
        settings: OddSettings, scenario: String
    ) throws {
        for (typed, answer) in [("Pässe\r", "answer Pässe"), ("Päs\u{3}", "error cancelled")] {
            let asked = try Asked(scenario, settings: settings)
            try asked.terminal.wait(for: "code: ")
            try asked.terminal.type(typed)
            #expect(try asked.leader.line() == answer)
            #expect(try asked.leader.line() == "ended 0")
            #expect(asked.terminal.settings.isSet(as: asked.before))
        }
    }

    @Test func `a byte that marks errors elsewhere is one byte here`() throws {
        let asked = try Asked("hold", settings: .marksErrors)
        try asked.awaitPrompt()
        try asked.terminal.type([0xFF, 0x0D])
        #expect(try asked.leader.line() == "holding 1")
        try asked.leader.proceed()
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

/// The next reader of the terminal is the shell: it would run what is left there as a command, and keep it in its
/// history.
struct `Half a secret at the end of a prompt` {
    // Rule: hidden input is read as it is typed | left to the terminal's line editing
    @Test(arguments: [SIGKILL, SIGSTOP, SIGTERM, SIGABRT] + (isSanitized ? [] : [SIGSEGV]))
    func `is not left in the terminal`(signal: Int32) throws {
        let asked = try Asked(by: "shell")
        try asked.awaitPrompt()
        try asked.typeAndWait("half a secr")
        asked.send(signal)
        let left = try asked.leader.line()
        #expect(left == "left 0")
    }

    @Test func `is not left in the terminal where a paste had more lines`() throws {
        let asked = try Asked(by: "shell")
        try asked.awaitPrompt()
        try asked.terminal.type("first\rsecond\rthird\r")
        #expect(try asked.leader.line() == "answer first")
        #expect(try asked.leader.line() == "left 0")
    }

    // Rule: the terminal shows again what is typed after SIGKILL and SIGSTOP | no second process
    @Test(arguments: [SIGKILL, SIGSTOP])
    func `is hidden no longer than its prompt is there`(signal: Int32) throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        asked.send(signal)
        _ = try asked.leader.line()
        try asked.poll("what is typed is shown") { asked.terminal.echoes }
        kill(asked.process, SIGKILL)
    }

    // Rule: settings that a shell made after a stop stay | overwritten
    // Rule: the settings of a prompt are never those to go back to | they were, where the shell keeps them for each job
    @Test func `leaves the settings to the shell after a stop, and is hidden again later`() throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        let prompting = asked.terminal.settings
        asked.send(SIGSTOP)
        #expect(try asked.leader.line() == "stopped \(SIGSTOP)")
        var editing = prompting
        editing.c_lflag &= ~tcflag_t(ISIG | IEXTEN)
        asked.terminal.settings = editing
        // Long enough for the second process to look several times.
        usleep(300_000)
        #expect(asked.terminal.settings.c_lflag == editing.c_lflag)
        asked.terminal.settings = prompting
        try asked.leader.proceed()
        try asked.awaitPrompt()
        try asked.terminal.type("whole\r")
        #expect(try asked.leader.line() == "answer whole")
        #expect(try asked.leader.line() == "ended 0")
        #expect(asked.terminal.echoes)
    }

    // Rule: a second process that was killed is replaced | not
    @Test func `is safe after the second process was killed`() throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        let first = try asked.keeper()
        kill(first, SIGKILL)
        try asked.poll("another one") { ((try? asked.keeper()) ?? first) != first }
        asked.send(SIGKILL)
        #expect(try asked.leader.line() == "ended \(128 + SIGKILL)")
        try asked.poll("what is typed is shown") { asked.terminal.echoes }
    }

    // Rule: what is typed is read although the second process was stopped | it waited in the terminal
    @Test func `is read by another process where the second one was stopped`() throws {
        let asked = try Asked(by: "shell")
        try asked.awaitPrompt()
        let first = try asked.keeper()
        kill(first, SIGSTOP)
        try asked.terminal.type("half a secr")
        try asked.poll("another one") { ((try? asked.keeper()) ?? first) != first }
        try asked.poll("what was typed is read") { asked.terminal.waiting == 0 }
        asked.send(SIGKILL)
        #expect(try asked.leader.line() == "left 0")
    }

    /// Stops the second process, and waits until it is.
    private func stopKeeper(of asked: Asked) throws -> Int32 {
        let keeper = try asked.keeper()
        kill(keeper, SIGSTOP)
        try asked.poll("it is stopped") {
            (try? String(contentsOfFile: "/proc/\(keeper)/stat", encoding: .utf8))?.contains(") T ") == true
        }
        return keeper
    }

    // Rule: a second process that was stopped goes on at the program's end | it stayed stopped
    @Test func `is dropped at the end though the second process was stopped`() throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        let keeper = try stopKeeper(of: asked)
        asked.send(SIGKILL)
        #expect(try asked.leader.line() == "ended \(128 + SIGKILL)")
        try asked.poll("what is typed is shown") { asked.terminal.echoes }
        try asked.poll("it has ended") {
            (try? String(contentsOfFile: "/proc/\(keeper)/stat", encoding: .utf8))?.contains(") Z ") ?? true
        }
    }

    // Rule: a second process that comes late drops nothing of the next reader's | it emptied the terminal
    @Test func `is all that the second process drops, though it was stopped and comes late`() throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        _ = try stopKeeper(of: asked)
        asked.send(SIGSTOP)
        #expect(try asked.leader.line() == "stopped \(SIGSTOP)")
        asked.terminal.settings = asked.before
        try asked.terminal.type("for the shell\r")
        usleep(250_000)
        kill(asked.process, SIGKILL)
        usleep(200_000)
        #expect(asked.terminal.waiting == 14)
    }

    // Rule: what is typed for another job is left to it after the program's end | it emptied the terminal
    @Test func `leaves another job what is typed for that, and gives it the usual settings`() throws {
        let asked = try Asked(by: "jobs")
        try asked.awaitPrompt()
        _ = try stopKeeper(of: asked)
        asked.send(SIGSTOP)
        #expect(try asked.leader.line() == "stopped \(SIGSTOP)")
        try asked.terminal.type("for the job...")
        kill(asked.process, SIGKILL)
        try asked.poll("what is typed is shown") { asked.terminal.echoes }
        #expect(asked.terminal.waiting == 14)
    }

    // Rule: a shell inside of a shell isn't another job | the session's leader asked | the terminal stays as it was
    @Test(arguments: [false, true]) func `gives the terminal back to a shell inside of a shell`(
        isKeeperStopped: Bool
    ) throws {
        let asked = try Asked(by: "nested")
        try asked.awaitPrompt()
        try asked.typeAndWait("half a sec")
        if isKeeperStopped { _ = try stopKeeper(of: asked) }
        asked.send(SIGKILL)
        #expect(try asked.leader.line() == "ended \(128 + SIGKILL)")
        try asked.poll("what is typed is shown") { asked.terminal.echoes }
        #expect(asked.terminal.settings.isSet(as: asked.before))
    }

    // Rule: the terminal is given back though the program ends soon after a stop | not at the first look after it | the
    //   terminal stays as it was
    @Test(arguments: [0, 20, 40, 60]) func `is given back at an end soon after a stop`(milliseconds: UInt32) throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        asked.send(SIGSTOP)
        #expect(try asked.leader.line() == "stopped \(SIGSTOP)")
        usleep(milliseconds * 1_000)
        kill(asked.process, SIGKILL)
        try asked.poll("what is typed is shown") { asked.terminal.echoes }
    }

    // Rule: the second process has no file of the program | all of them
    // Rule: what it reads is wiped | kept
    @Test func `is not kept by the second process, which ends with the prompt`() throws {
        let asked = try Asked("hold")
        try asked.awaitPrompt()
        let keeper = try asked.keeper()
        try asked.typeAndWait("half an uncommon passcode")
        // The terminal, the way to the program, and what the system says of the program and of the session's leader.
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(keeper)/fd").count == 4)
        if !MemorySearch.isHindered {
            #expect(try MemorySearch.search(process: keeper, for: [Array("uncommon passcode".utf8)]) == [])
        }
        try asked.terminal.type("\r")
        #expect(try asked.leader.line() == "holding 25")
        #expect(kill(keeper, 0) == -1)
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

    @Test func `another thread ends the prompt, and the next one is asked`() throws {
        let asked = try Asked("cancel")
        try asked.awaitPrompt()
        try asked.typeAndWait("half a secr")
        try asked.leader.proceed()
        #expect(try asked.leader.line() == "error cancelled")
        try asked.awaitPrompt()
        try asked.terminal.type("whole\r")
        #expect(try asked.leader.line() == "answer whole")
    }

    // Rule: no end waits for output that is stopped | the line's end was written and waited for | no answer
    @Test(arguments: [SIGTERM, SIGHUP])
    func `the program ends though the output is stopped`(signal: Int32) throws {
        let asked = try Asked()
        try asked.awaitPrompt()
        try asked.typeAndWait("\u{13}")
        asked.send(signal)
        #expect(try asked.leader.line() == "ended \(128 + signal)")
        #expect(asked.terminal.echoes)
    }

    @Test func `another thread ends the prompt though the output is stopped, and a signal one that isn't shown yet`()
        throws
    {
        let asked = try Asked("cancel")
        try asked.awaitPrompt()
        try asked.typeAndWait("\u{13}")
        try asked.leader.proceed()
        #expect(try asked.leader.line() == "error cancelled")
        asked.send(SIGTERM)
        #expect(try asked.leader.line() == "ended \(128 + SIGTERM)")
        #expect(asked.terminal.echoes)
    }

    // Rule: two programs of one job ask one after the other | both asked at once
    @Test func `two programs of one job ask one after the other`() throws {
        let asked = try Asked("pair")
        try asked.awaitPrompt()
        usleep(150_000)
        try asked.terminal.look()
        #expect(!asked.terminal.screen.contains("code: "))
        for answer in ["one", "two"] {
            if answer == "two" { try asked.awaitPrompt() }
            try asked.terminal.type("\(answer)\r")
            #expect(try asked.leader.line() == "answer \(answer)")
        }
        #expect(try asked.leader.line() == "ended 0")
        #expect(asked.terminal.settings.isSet(as: asked.before))
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
        try asked.poll("what is typed is shown") { asked.terminal.echoes }
    }
}
