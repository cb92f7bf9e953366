// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestTools
import Testing

@testable import TerminalPrivacy

@Suite("The clipboard")
struct ClipboardTests {
    @Test(
        "gets nothing unless it is allowed, and nothing that tmux or screen would keep",
        arguments: [
            (ClipboardPolicy.off, ["TERM": "xterm"], ClipboardOutcome.off),
            (.init(isAllowed: true), ["TERM": "xterm-256color"], nil), (.init(isAllowed: true), [:], nil),
            (.init(isAllowed: true), ["TERM": "xterm", "TMUX": "/tmp/x,1,0"], .refused(multiplexer: "tmux")),
            (.init(isAllowed: true), ["TERM": "tmux-256color"], .refused(multiplexer: "tmux")),
            (.init(isAllowed: true), ["TERM": "screen"], .refused(multiplexer: "screen")),
            (.init(isAllowed: true), ["TERM": "xterm", "STY": "1.pts"], .refused(multiplexer: "screen")),
            (.init(isAllowed: true), ["ZELLIJ": "0"], .refused(multiplexer: "zellij")),
        ] as [(ClipboardPolicy, [String: String], ClipboardOutcome?)])
    func refusals(policy: ClipboardPolicy, environment: [String: String], outcome: ClipboardOutcome?) {
        #expect(policy.refusal(in: environment) == outcome)
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
}

/// A pseudo terminal that the test plays: it answers for its clipboard, or doesn't.
@Suite("The clipboard of a terminal outside tmux")
struct ClipboardAnswerTests {
    private static let ours = Data("CARD-4111-7391".utf8).base64EncodedString()
    private static let question = "\u{1B}]52;c;?\u{7}"
    private static let clearing = "\u{1B}]52;c;\u{7}"

    /// A terminal in which the program has just copied its secret.
    private func copied() throws -> (Terminal, Child) {
        let terminal = try Terminal()
        let none = ["TMUX": "", "STY": "", "ZELLIJ": "", "TERM": "xterm-256color"]
        let program = try Child(
            "terminal-privacy-probe", ["clipboard", "--alone"],
            environment: none.merging(["PROBE_TERMINAL": terminal.path]) { $1 })
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

    @Test("is said never to be cleared where the terminal doesn't answer for it")
    func silent() throws {
        let (terminal, program) = try copied()
        try terminal.wait(for: "Copied. This terminal does not let us")
        program.kill(SIGKILL)
    }
}
