// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TerminalPrivacy

@Suite("What a prompt says")
struct PromptTextTests {
    @Test("has no command to the terminal in it, whoever's words they are")
    func safe() {
        let said = SecretPrompt.safe("no\u{1B}]0;PWNED\u{7}\u{9B}2J\r!\none\r\ntwo")
        #expect(said == "no\u{FFFD}]0;PWNED\u{FFFD}\u{FFFD}2J\u{FFFD}!\r\none\r\ntwo")
    }
}

@Suite("Whether lines are wanted instead of drawing")
struct LineModeTests {
    // Rule: a terminal that can't move the cursor gets lines | only ZAMOK_LINES
    @Test(
        "depends on the terminal and on the user",
        arguments: [
            ([:], true), (["TERM": ""], true), (["TERM": "dumb"], true), (["TERM": "xterm"], false),
            (["TERM": "xterm", "ZAMOK_LINES": "1"], true), (["TERM": "dumb", "ZAMOK_LINES": "0"], false),
            (["TERM": "xterm", "ZAMOK_LINES": ""], false),
        ] as [([String: String], Bool)])
    func environment(variables: [String: String], isWanted: Bool) {
        #expect(LineMode.isWanted(in: variables) == isWanted)
    }
}

@Suite("Prompts and forms, in tmux", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct PromptTests {
    private func start(_ mode: String, until text: String) throws -> Tmux {
        let terminal = try Tmux()
        try terminal.enter("\(try terminal.probe) \(mode)")
        try terminal.wait(text) { try terminal.visible().contains(text) }
        // From here on nothing that is typed may be seen: the prompt comes after the echo is off.
        return terminal
    }

    @Test("A prompt shows nothing of what is typed, edits, and says what is wrong")
    func prompt() throws {
        let terminal = try start("prompt", until: "Password:")
        try terminal.enter("abc")
        try terminal.wait("a message") { try terminal.visible().contains("At least 4 characters") }
        try terminal.tmux("send-keys", "-l", "hunter2X")
        try terminal.key("BSpace")
        try terminal.key("Enter")
        try terminal.wait("the answer") { try terminal.visible().contains("got 7 bytes") }
        #expect(try !terminal.everything().contains("hunter2") && !terminal.everything().contains("abc"))
        try terminal.requireUsableShell()
    }

    @Test("A prompt is given up by Control-C, and by a signal, and the terminal is as it was")
    func cancelled() throws {
        let terminal = try start("prompt", until: "Password:")
        try terminal.tmux("send-keys", "-l", "hunter2")
        try terminal.key("C-c")
        try terminal.wait("the end") { try terminal.visible().contains("probe fails: cancelled") }
        try terminal.requireUsableShell()
        #expect(try !terminal.everything().contains("hunter2"))
    }

    @Test("A form is filled in line by line, in a terminal that is dumb")
    func lines() throws {
        let terminal = try start("lines", until: "Name:")
        try terminal.enter("Anna")
        try terminal.wait("the second") { try terminal.visible().contains("Password:") }
        try terminal.enter("abc")
        try terminal.wait("a message") { try terminal.visible().contains("Password: At least 4 characters") }
        try terminal.enter("hunter2")
        try terminal.wait("the answer") { try terminal.visible().contains("Anna has 7 bytes") }
        #expect(try !terminal.everything().contains("hunter2") && !terminal.everything().contains("abc"))
        // The command after it is shown, not obeyed: it would erase the screen.
        #expect(try terminal.visible().contains("[2J"))
        try terminal.requireUsableShell()
    }

    enum Killed: CaseIterable { case program, supervisor, both }

    @Test("Of a prompt that is killed with half a secret typed, the shell gets nothing", arguments: Killed.allCases)
    func killed(_ killed: Killed) throws {
        let terminal = try start("prompt", until: "Password:")
        let pane = try terminal.tmux("display-message", "-p", "#{pane_pid}").trimmingCharacters(
            in: .whitespacesAndNewlines)
        func child(of process: String) throws -> String {
            let path = "/proc/\(process)/task/\(process)/children"
            return try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").first.map(String.init) ?? ""
        }
        let supervisor = try child(of: pane)
        let program = try child(of: supervisor)
        try terminal.tmux("send-keys", "-l", "hunter2")
        // What arrives in the instant of the signal is the shell's: tmux writes what it was told after it has answered.
        try terminal.tmux("display-message", "-p", "")
        usleep(50_000)
        if killed != .supervisor { kill(try #require(Int32(program)), SIGKILL) }
        if killed != .program { kill(try #require(Int32(supervisor)), SIGKILL) }
        try terminal.wait("the shell's prompt") { try terminal.visible().contains("Killed") }
        try terminal.requireUsableShell()
        #expect(try !terminal.everything().contains("hunter"))
    }

    @Test("A prompt after a screen is given up by Control-C, too")
    func cancelledLater() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("prompt-later")
        try terminal.key("q")
        try terminal.wait("the prompt") { try terminal.visible().contains("Password:") }
        try terminal.tmux("send-keys", "-l", "hunter2")
        try terminal.key("C-c")
        try terminal.wait("the end") { try terminal.visible().contains("probe fails: cancelled") }
        try terminal.requireUsableShell()
        #expect(try !terminal.everything().contains("hunter2"))
    }

    @Test("A prompt is refused while a screen has the terminal")
    func within() throws {
        let terminal = try Tmux()
        try terminal.enter("\(try terminal.probe) prompt-within")
        try terminal.wait("the refusal") { try terminal.visible().contains("in use by another part") }
        try terminal.requireUsableShell()
    }

    @Test("A new secret is asked for twice")
    func twice() throws {
        let terminal = try start("prompt-twice", until: "New:")
        try terminal.enter("hunter2")
        try terminal.wait("the second question") { try terminal.visible().contains("Again:") }
        try terminal.enter("hunter3")
        try terminal.wait("a message") { try terminal.visible().contains("The two are not the same") }
        try terminal.enter("hunter2")
        try terminal.wait("the second question") { try terminal.visible().components(separatedBy: "Again:").count == 3 }
        try terminal.enter("hunter2")
        try terminal.wait("the answer") { try terminal.visible().contains("got 7 bytes") }
        #expect(try !terminal.everything().contains("hunter"))
    }

    @Test("A form shows bullets, points at what is wrong, and empties the password when it was taken")
    func form() throws {
        let terminal = try start("form", until: "ready")
        try terminal.tmux("send-keys", "-l", "ann")
        try terminal.key("Tab")
        try terminal.tmux("send-keys", "-l", "hunter2")
        try terminal.key("Enter")
        try terminal.wait("what is wrong") { try terminal.visible().contains("not an e-mail address") }
        #expect(try terminal.visible().contains("•••••••"))
        try terminal.tmux("send-keys", "-l", "@example.com")
        try terminal.key("Enter")
        try terminal.key("Enter")
        try terminal.wait("the login") { try terminal.visible().contains("logged in as ann@example.com, 7 bytes") }
        #expect(try !terminal.visible().contains("•") && !terminal.everything().contains("hunter2"))
        try terminal.key("Escape")
        try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        try terminal.requireUsableShell()
    }

    @Test("A password can be shown for a moment, and is masked again behind a cover")
    func reveal() throws {
        let terminal = try start("form", until: "ready")
        try terminal.key("Tab")
        try terminal.tmux("send-keys", "-l", "hunter2")
        try terminal.key("C-r")
        try terminal.wait("the password") { try terminal.visible().contains("hunter2") }
        try terminal.focus(false)
        try terminal.wait("the cover") { try terminal.visible().contains("Hidden") }
        try terminal.focus(true)
        try terminal.wait("the form") { try terminal.visible().contains("•••••••") }
        #expect(try !terminal.everything().contains("hunter2"))
    }
}
