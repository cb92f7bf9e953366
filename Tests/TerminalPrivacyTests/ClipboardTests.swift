// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import SecretMemory
import TestSupport
import Testing

@testable import TerminalPrivacy

@Suite("The clipboard")
struct ClipboardTests {
    @Test(
        "gets nothing unless it is allowed, and nothing that a multiplexer would keep",
        arguments: [
            (ClipboardPolicy.off, nil, ClipboardOutcome.off), (.off, "tmux", .off), (.init(isAllowed: true), nil, nil),
            (.init(isAllowed: true), "tmux", .refused(multiplexer: "tmux")),
        ] as [(ClipboardPolicy, String?, ClipboardOutcome?)])
    func refusals(policy: ClipboardPolicy, multiplexer: String?, outcome: ClipboardOutcome?) {
        #expect(policy.refusal(in: multiplexer) == outcome)
    }

    // Rule: tmux is known by its answers | 84 not known
    @Test(
        "knows a multiplexer by its answers, and by the environment only where there are none",
        arguments: [
            ("\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[>84;0;0c\u{1B}[?1;2c", [:], "tmux"),
            ("\u{1B}[>84;0;0c\u{1B}[?1;2c", ["TERM": "xterm"], "tmux"),
            ("\u{1B}[>83;40900;0c\u{1B}[?1;2c", [:], "screen"),
            ("\u{1B}P>|Zellij(0.40)\u{1B}\\\u{1B}[?1;2c", [:], "zellij"),
            ("\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[>41;379;0c\u{1B}[?64c", ["TMUX": "/tmp/x", "TERM": "screen"], nil),
            ("\u{1B}[>41;379;0c\u{1B}[?64c", ["TMUX": "/tmp/x"], nil), ("\u{1B}[?6c", ["TMUX": "/tmp/x,1,0"], "tmux"),
            ("", ["TERM": "tmux-256color"], "tmux"), ("", ["TERM": "screen"], "screen"),
            ("", ["TERM": "xterm", "STY": "1.pts"], "screen"),
            ("", ["ZELLIJ": "0"], "zellij"), ("", ["TERM": "xterm-256color"], nil),
            ("typed\u{1B}[A\u{1B}[>84;0;0c", [:], "tmux"),
        ] as [(String, [String: String], String?)])
    func multiplexers(answers: String, environment: [String: String], name: String?) {
        #expect(TerminalAnswers(Array(answers.utf8)).multiplexer(or: environment) == name)
    }

    @Test("takes answers in any pieces of any bytes without a trap")
    func hostileAnswers() {
        let all = Array("\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1049;2$y\u{1B}[12;40R\u{1B}[>84;0;0c\u{1B}[?1;2c".utf8)
        for count in all.indices { #expect(!TerminalAnswers(Array(all[..<count])).isComplete) }
        let answers = TerminalAnswers(all)
        #expect(
            answers.isComplete && answers.mode == 2 && answers.positions == ["12;40"] && answers.version == "tmux 3.3a")
        for bytes in [
            [0x1B], [0x1B, 0x5B], [0x1B, 0x50], [0x1B, 0x50, 0x1B], [0x1B, 0x1B, 0x5B, 0x63], [0x1B, 0x5B, 0x3E, 0x63],
        ] as [[UInt8]] {
            #expect(TerminalAnswers(bytes).version == nil)
        }
    }

    @Test(
        "is written in Base64",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("\u{FF}", "w78="),
        ])
    func base64(text: String, encoded: String) throws {
        let secret = try Secret(copying: Array(text.utf8))
        #expect(try String(exposing: Secret(try Base64.encode(secret))) == encoded)
    }

    // Rule: nothing is copied through OSC 52 inside tmux | copied | also "gets nothing unless it is allowed …"
    @Test(
        "is refused inside tmux by the program that runs there, and no buffer holds anything",
        .enabled(if: Tmux.isThere))
    func inTmux() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("clipboard")
        try terminal.key("y")
        try terminal.waitForLog("clipboard refused(multiplexer: \"tmux\")")
        #expect(try terminal.tmux("list-buffers").isEmpty)
    }

    @Test(
        "is refused inside tmux by a program that has no TMUX, as over ssh and under sudo", .enabled(if: Tmux.isThere))
    func inHiddenTmux() throws {
        let terminal = try Tmux()
        try terminal.enter("unset TMUX; export TERM=xterm-256color")
        _ = try terminal.startProbe("clipboard")
        try terminal.key("y")
        try terminal.waitForLog("clipboard refused(multiplexer: \"tmux\")")
        #expect(try terminal.tmux("list-buffers").isEmpty)
    }
}

/// A pseudo terminal that the test plays: it answers for its clipboard, or doesn't.
@Suite("The clipboard of a terminal outside tmux")
struct ClipboardAnswerTests {
    private static let ours = Data("CARD-4111-7391".utf8).base64EncodedString()
    private static let question = "\u{1B}]52;c;?\u{7}"
    private static let clearing = "\u{1B}]52;c;\u{7}"

    /// A terminal in which the program has just copied its secret.
    private func copied(seconds: Bool = false, log: URL? = nil) throws -> (Terminal, Child) {
        let terminal = try Terminal()
        let none = [
            "TMUX": "", "STY": "", "ZELLIJ": "", "TERM": "xterm-256color", "PROBE_LOG": log?.path ?? "/dev/null",
        ]
        let program = try Child(
            "test-worker", ["terminal", seconds ? "clipboard-long" : "clipboard"] + (log == nil ? ["--alone"] : []),
            environment: none.merging(["PROBE_TERMINAL": terminal.path]) { $1 })
        try terminal.answerAsXterm()
        try terminal.wait(for: "CARD-4111")
        try terminal.type("y")
        try terminal.wait(for: "\u{1B}]52;c;\(Self.ours)\u{7}")
        try terminal.wait(for: Self.question)
        return (terminal, program)
    }

    private func answer(_ content: String, _ terminal: Terminal) throws {
        try terminal.type("\u{1B}]52;c;\(content)\u{7}")
    }

    @Test("is cleared in time if it still holds our copy, and the user is told")
    func cleared() throws {
        let (terminal, program) = try copied()
        try answer(Self.ours, terminal)
        try terminal.wait(for: "Copied; cleared after")
        try terminal.wait(for: Self.question)
        try answer(Self.ours, terminal)
        try terminal.wait(for: Self.clearing)
        try terminal.wait(for: "The copy was cleared.")
        program.kill(SIGKILL)
    }

    @Test("is left alone if the user has copied something else")
    func replaced() throws {
        let (terminal, program) = try copied()
        try answer(Self.ours, terminal)
        try terminal.wait(for: Self.question)
        try answer(Data("something else".utf8).base64EncodedString(), terminal)
        let end = ContinuousClock.now + .seconds(60)
        while !terminal.screen.contains("holds something else"), ContinuousClock.now < end {
            try terminal.look()
            usleep(5_000)
        }
        #expect(terminal.screen.contains("holds something else") && !terminal.screen.contains(Self.clearing))
        program.kill(SIGKILL)
    }

    // Rule: a copy is cleared at the end | not
    @Test("is cleared when the program ends before its time, if it still holds our copy")
    func clearedAtEnd() throws {
        let (terminal, program) = try copied(seconds: true)
        try answer(Self.ours, terminal)
        try terminal.wait(for: "Copied; cleared after")
        try terminal.type("q")
        try terminal.wait(for: Self.question)
        try answer(Self.ours, terminal)
        try terminal.wait(for: Self.clearing)
        program.kill(SIGKILL)
    }

    // Rule: …and by the supervisor when killed; only ours; said where it can't be known; without echo | four breaks, one each | all four
    @Test(
        "is cleared by the supervisor when the program is killed, if it still holds our copy; else it is left alone, and what can't be known is said",
        arguments: [ours, Data("something else".utf8).base64EncodedString(), nil], [SIGKILL, SIGTERM])
    func killed(content: String?, signal: Int32) throws {
        let log = FileManager.default.temporaryDirectory.appending(path: "zamok-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: log) }
        let (terminal, supervisor) = try copied(seconds: true, log: log)
        try answer(Self.ours, terminal)
        try terminal.wait(for: "Copied; cleared after 600 s")
        let started = try String(contentsOf: log, encoding: .utf8).split(separator: " ")
        kill(try #require(started.count > 1 ? Int32(started[1]) : nil), signal)
        try terminal.wait(for: "\u{1B}[?1049l")
        try terminal.wait(for: Self.question)
        #expect(!terminal.echoes)
        if let content { try answer(content, terminal) } else { try terminal.wait(for: "copy something else") }
        let status = try supervisor.rest().status
        try terminal.look()
        #expect(terminal.screen.contains(Self.clearing) == (content == Self.ours))
        #expect(!terminal.screen.contains("copy something else"))
        #expect(terminal.echoes && status == 128 + signal)
    }

    @Test("is said never to be cleared where the terminal doesn't answer for it")
    func silent() throws {
        let (terminal, program) = try copied()
        try terminal.wait(for: "Copied. This terminal does not let us")
        program.kill(SIGKILL)
    }
}
