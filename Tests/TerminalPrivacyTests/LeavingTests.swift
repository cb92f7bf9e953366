// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A pseudo terminal that the test plays, and that keeps every byte: tmux doesn't show what an emulator may keep of the alternate
/// screen after it was left.
@Suite("The alternate screen of a terminal")
struct LeavingTests {
    private let secret = "CARD-4111"
    private let leaving = "\u{1B}[?1049l"

    // Rule: the alternate screen is emptied before it is left | left as it was, by program and supervisor | both cases; written for this, since
    //   most tests in tmux do not see it; also "keeps its content out of the scrollback …"
    // Rule: killed, the supervisor writes the program's own sequence | a fixed one | also "is erased in tmux… also when it is killed"
    @Test("is emptied before it is left, by the program or by its supervisor", arguments: [false, true])
    func emptied(isKilled: Bool) throws {
        let terminal = try Terminal()
        let log = FileManager.default.temporaryDirectory.appending(path: "zamok-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: log) }
        let supervisor = try Child(
            "test-worker", ["terminal", "screen"],
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
        // Whatever was switched on is off: a shell whose lines no longer wrap is no use.
        #expect(shown[last...].contains("\u{1B}[?7h") && shown[last...].contains("\u{1B}[?2004l"))
        supervisor.kill(SIGKILL)
    }
}

/// Output that another program stopped.
@Suite("A terminal that takes no output")
struct StoppedOutputTests {
    // Rule: a screen's end waits for no output | its descriptor blocked | no end
    @Test("doesn't keep a program that is ended")
    func ended() throws {
        let terminal = try Terminal()
        let held = unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(held) }
        let program = try Child(
            "test-worker", ["terminal", "form", "--alone"],
            environment: ["TERM": "xterm-256color", "PROBE_TERMINAL": terminal.path])
        try terminal.answerAsXterm()
        try terminal.wait(for: "ready")
        terminal.stopOutput()
        program.kill(SIGTERM)
        #expect(try program.rest().status == 128 + SIGTERM)
    }
}

/// Settings that another program left.
@Suite("A terminal that was set for something else")
struct OddSettingsTests {
    // Rule: a screen sets every flag that it relies on | ISTRIP left as it was | no login
    @Test("has what is typed arrive as it was, and is set as before afterwards", arguments: OddSettings.allCases)
    func typed(settings: OddSettings) throws {
        let terminal = try Terminal()
        // Held open: closed by all, it would be hung up.
        let held = unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(held) }
        settings.set(&terminal.settings)
        let before = terminal.settings
        let program = try Child(
            "test-worker", ["terminal", "form", "--alone"],
            environment: ["TERM": "xterm-256color", "PROBE_TERMINAL": terminal.path])
        try terminal.answerAsXterm()
        try terminal.wait(for: "ready")
        // Without its first bits one byte of the second letter would be a backspace.
        try terminal.type("Ann@example.com\tPшsse\r")
        try terminal.wait(for: "logged in as Ann@example.com, 6 bytes")
        // A key, not a signal: it is the program's to end.
        try terminal.type("\u{3}\u{1B}")
        try terminal.wait(for: "\u{1B}[?1049l")
        #expect(try program.rest().status == 0)
        // One that is left without lines, echo and signals is taken for a killed program's: it is set as a shell wants it.
        if settings != .raw { #expect(terminal.settings.isSet(as: before)) }
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
            "test-worker", ["terminal", "screen", "--alone"],
            environment: ["TERM": "xterm-256color", "PROBE_TERMINAL": terminal.path])
        try terminal.wait(for: "\u{1B}[6n\u{1B}[c")
        try terminal.type("\u{1B}[5;1R\u{1B}[?64c")
        try terminal.wait(for: "\u{1B}[6n\u{1B}[c")
        try terminal.type(second)
        return (terminal, program)
    }

    // Rule: no line goes on in the next | autowrap left on
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

    // Rule: its word counts | "no" taken for yes
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
            "test-worker", ["terminal", "screen", "--alone"],
            environment: ["TERM": "xterm-256color", "PROBE_TERMINAL": terminal.path])
        let (text, status) = try program.rest()
        #expect(status == 3 && text.contains("probe fails"))
        try terminal.look()
        #expect(!terminal.screen.contains("CARD-4111"))
    }
}

/// A character that one terminal draws in two cells and another in three.
@Suite("The width of a character")
struct WidthTests {
    private func started() throws -> (Terminal, Child) {
        let terminal = try Terminal()
        let program = try Child(
            "test-worker", ["terminal", "widths", "--alone"],
            environment: ["TERM": "xterm-256color", "PROBE_TERMINAL": terminal.path])
        try terminal.answerAsXterm()
        // On the last row, which the frame then draws over.
        for text in ["क्षि", "👩‍👩‍👧‍👦", "é̃", "ﷺ"] { try terminal.wait(for: "\u{1B}[24;1H\(text)\u{1B}[6n") }
        return (terminal, program)
    }

    // Rule: widths are the terminal's own | the table's | also "is what tmux and GNU screen say of it"
    // Rule: what follows an uncertain character has an absolute place | written on
    // Rule: an answer for another row is none | taken
    @Test("is the terminal's own, wherever terminals disagree, and what follows has its place behind it")
    func measured() throws {
        let (terminal, program) = try started()
        // By the table, until the answers are there; 日 has two cells everywhere.
        for text in ["क्षि\u{1B}[2;4H|", "👩‍👩‍👧‍👦\u{1B}[3;5H|", "é̃\u{1B}[4;4H|", "ﷺ\u{1B}[5;4H|", "日|"] {
            try terminal.wait(for: text)
        }
        // A key that is pressed meanwhile is one, and what looks like an answer and isn't one is none.
        try terminal.type("\u{1B}[24;4R\u{1B}[24;9Rx\u{1B}[1;5R\u{1B}[24;2R\u{1B}[24;12R")
        for text in ["क्षि\u{1B}[2;6H|", "👩‍👩‍👧‍👦\u{1B}[3;11H|", "é̃\u{1B}[4;4H|", "ﷺ\u{1B}[5;14H|", "日|"] {
            try terminal.wait(for: text)
        }
        // Known characters are not asked for again.
        let next = try nextFrame(terminal)
        #expect(next.contains("ﷺ\u{1B}[5;14H|") && !next.contains("\u{1B}[6n"))
        program.kill(SIGKILL)
    }

    /// What a key has the program draw.
    private func nextFrame(_ terminal: Terminal) throws -> String {
        try terminal.type("y")
        let end = ContinuousClock.now + .seconds(60)
        while !terminal.screen.contains("日|"), ContinuousClock.now < end {
            try terminal.look()
            usleep(5_000)
        }
        return terminal.screen
    }

    // Rule: a terminal that gives no answer isn't asked again | asked
    @Test("is the table's where the terminal doesn't answer, which is not asked again")
    func unanswered() throws {
        let (terminal, program) = try started()
        try terminal.wait(for: "क्षि\u{1B}[2;4H|")
        try terminal.wait(for: "日|")
        let next = try nextFrame(terminal)
        #expect(next.contains("क्षि\u{1B}[2;4H|") && !next.contains("\u{1B}[6n"))
        program.kill(SIGKILL)
    }

    @Test("is what tmux says of it", .enabled(if: Tmux.isThere, "there is no tmux here")) func real() throws {
        try compare(isInScreen: false)
    }

    @Test(
        "is what GNU screen says of it",
        .enabled(if: Tmux.isThere && Tmux.hasScreen, "there is no tmux here, or no GNU screen"))
    func realScreen() throws { try compare(isInScreen: true) }

    private func compare(isInScreen: Bool) throws {
        let terminal = try Tmux()
        if isInScreen {
            let settings = terminal.folder.appending(path: "screenrc")
            try Data("startup_message off\naltscreen on\ndefutf8 on\n".utf8).write(to: settings)
            let name = terminal.folder.lastPathComponent
            try terminal.enter("screen -U -c \(settings.path) -S \(name) bash --norc --noprofile")
            try terminal.wait("the shell in screen") { try !terminal.visible().contains("screen -U") }
            try terminal.waitForPrompt()
        }
        // The same question, asked by a shell.
        let script = terminal.folder.appending(path: "ask")
        let lines = """
            for text in 'क्षि' '👩‍👩‍👧‍👦' 'é̃' 'ﷺ' '日'; do
                printf '\\033[9;1H%s\\033[6n' "$text"
                IFS= read -rs -d R answer
                widths="$widths $(( ${answer#*;} - 1 ))"
            done
            clear
            echo "asked$widths."
            """
        try Data(lines.utf8).write(to: script)
        try terminal.enter("bash \(script.path)")
        var asked = ""
        try terminal.wait("the shell's answers") {
            let line = try terminal.visible().split(separator: "\n").first {
                $0.hasPrefix("asked ") && $0.hasSuffix(".")
            }
            asked = line.map { String($0.dropFirst(6).dropLast()) } ?? ""
            return line != nil
        }
        _ = try terminal.startProbe("widths")
        try terminal.wait("the widths \(asked)") { terminal.logged().last?.what == "widths \(asked)" }
        try terminal.key("q")
        try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        if isInScreen { try terminal.enter("exit") }
    }
}
