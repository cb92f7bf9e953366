// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What someone sees who looks at the terminal at the wrong moment, or afterwards.
@Suite("A private terminal, in tmux", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct ScreenTests {
    private let secret = "CARD-4111"

    // Rule: a terminal is covered when the focus goes | told, not covered | also "is covered when the client is detached …", "keeps its content out
    //   of the scrollback …" and four others
    @Test("is covered when the window loses focus, and shown when it is back")
    func focus() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("screen")
        try terminal.focus(false)
        try terminal.waitForLog("covered focus")
        #expect(try !terminal.everything().contains(secret))
        #expect(try terminal.visible().contains("Hidden while you are away"))
        try terminal.focus(true)
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
        try terminal.key("q")
        try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        #expect(try !terminal.everything().contains(secret))
        try terminal.requireUsableShell()
        let order = terminal.logged().map(\.what).filter { !$0.hasPrefix("started") }
        #expect(order == ["redraw", "covered focus", "redraw", "end"])
    }

    // Rule: a terminal is covered when the program goes on after a stop | not covered | three forms; also "waits for the terminal when it goes on
    //   in the background", "is cleared by its supervisor when it is stopped …"
    @Test(
        "leaves nothing behind Control-Z, and is covered when it goes on",
        arguments: ["screen", "screen --alone", "screen --blocked"])
    func stop(arguments: String) throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe(arguments)
        try terminal.key("C-z")
        try terminal.wait("the shell") { try terminal.visible().contains("Stopped") }
        #expect(try !terminal.everything().contains(secret))
        try terminal.requireUsableShell()
        try terminal.enter("fg")
        // tmux reports the focus as soon as it is asked to; the cover is on before.
        try terminal.waitForLog("covered stopped")
        try terminal.key("Space")
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
        // The content may be drawn a moment before, at the report of the focus.
        try terminal.waitForLog("redraw", times: 2)
        // One more follows where the key came before the content was drawn.
        let order = terminal.logged().map(\.what).dropFirst()
        #expect(order.prefix(3) == ["redraw", "covered stopped", "redraw"])
        try terminal.key("q")
        try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        try terminal.requireUsableShell()
    }

    /// Without SIGSEGV under a sanitizer, which takes that signal for itself and ends the program in its own way.
    static let endings: [(String, Int32)] = {
        let isSanitized = ProcessInfo.processInfo.environment["ZAMOK_SANITIZED"] != nil
        return [
            ("screen", SIGTERM), ("screen", SIGHUP), ("screen", SIGKILL), ("screen", SIGQUIT),
            ("screen --alone", SIGTERM), ("screen --alone", SIGHUP), ("screen --alone", SIGABRT),
        ] + (isSanitized ? [] : [("screen", SIGSEGV)])
    }()

    // Rule: everything is drawn on the alternate screen | on the usual one | all forms; also "is covered when the window loses focus …", "keeps its
    //   content out of the scrollback …", "leaves nothing when it crashes by itself"
    // Rule: a supervisor stands above the program | none started | SIGKILL: secret on the screen, terminal not given back; also "is cleared by its
    //   supervisor when it is stopped by a signal that it can't see", "hands on what its supervisor is told to do"
    @Test("leaves nothing when it is ended from outside", arguments: endings)
    func ended(arguments: String, signal: Int32) throws {
        let terminal = try Tmux()
        let (program, supervisor) = try terminal.startProbe(arguments)
        kill(program, signal)
        try terminal.waitForPrompt()
        #expect(try !terminal.everything().contains(secret))
        // The shell learns how the program ended, not how its parent did.
        try terminal.enter("echo status-$?")
        try terminal.wait("the status") { try terminal.visible().contains("status-\(128 + signal)") }
        try terminal.requireUsableShell()
        #expect(kill(program, 0) == -1)
        if !arguments.contains("--alone") { #expect(kill(supervisor, 0) == -1) }
    }

    @Test("leaves nothing when its supervisor is killed")
    func supervisorKilled() throws {
        let terminal = try Tmux()
        let (program, supervisor) = try terminal.startProbe("screen")
        kill(supervisor, SIGKILL)
        try terminal.wait("the program's end") { kill(program, 0) == -1 }
        try terminal.wait("the shell") { try !terminal.visible().contains(secret) }
        #expect(try !terminal.everything().contains(secret))
        // The shell went on when the supervisor ended: its prompt may stand on the screen that the program left after that.
        try terminal.enter("")
        try terminal.requireUsableShell()
    }

    @Test("hands on what its supervisor is told to do")
    func supervisorTold() throws {
        let terminal = try Tmux()
        let (program, supervisor) = try terminal.startProbe("screen")
        kill(supervisor, SIGTERM)
        try terminal.wait("the program's end") { kill(program, 0) == -1 }
        try terminal.waitForPrompt()
        try terminal.enter("echo status-$?")
        try terminal.wait("the status") { try terminal.visible().contains("status-143") }
        #expect(try !terminal.everything().contains(secret))
    }

    @Test("leaves nothing when it crashes by itself")
    func crash() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("screen")
        try terminal.key("!")
        try terminal.wait("the shell") { try !terminal.visible().contains(secret) }
        try terminal.requireUsableShell()
        #expect(try !terminal.everything().contains(secret))
    }

    @Test("is cleared by its supervisor when it is stopped by a signal that it can't see")
    func stoppedHard() throws {
        let terminal = try Tmux()
        let (program, _) = try terminal.startProbe("screen")
        kill(program, SIGSTOP)
        try terminal.wait("the shell") { try terminal.visible().contains("Stopped") }
        #expect(try !terminal.everything().contains(secret))
        try terminal.requireUsableShell()
        try terminal.enter("fg")
        try terminal.waitForLog("covered stopped")
        try terminal.key("Space")
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
    }

    // Rule: shell and supervisor both tell the program to go on; it is covered once | covered at each signal
    @Test("is covered once when it goes on, though shell and supervisor both tell it to")
    func toldTwice() throws {
        let terminal = try Tmux()
        let (program, _) = try terminal.startProbe("screen")
        try terminal.key("C-z")
        try terminal.wait("the shell") { try terminal.visible().contains("Stopped") }
        try terminal.enter("fg")
        try terminal.waitForLog("covered stopped")
        try terminal.key("Space")
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
        kill(program, SIGCONT)
        // In front of a cover this key would do nothing but take it off.
        try terminal.key("y")
        try terminal.waitForLog("clipboard off")
        #expect(terminal.logged().count { $0.what == "covered stopped" } == 1)
    }

    @Test("waits for the terminal when it goes on in the background")
    func background() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("screen")
        try terminal.key("C-z")
        try terminal.wait("the shell") { try terminal.visible().contains("Stopped") }
        try terminal.enter("bg")
        // Until the shell knows that it is stopped again, "fg" would take it for a running one.
        try terminal.wait("the second stop") {
            try terminal.enter("printf '\\033[2J\\033[H'; jobs")
            usleep(50_000)
            return try terminal.visible().contains("Stopped")
        }
        try terminal.requireUsableShell()
        #expect(try !terminal.everything().contains(secret))
        try terminal.enter("fg")
        try terminal.waitForLog("covered stopped")
        try terminal.key("Space")
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
    }

    @Test("keeps its content out of the scrollback through changes of size, covered or not")
    func resize() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("screen")
        for (columns, rows) in [(60, 12), (140, 40), (20, 3), (100, 30)] {
            try terminal.resize(columns: columns, rows: rows)
            try terminal.wait("the content at \(columns)x\(rows)") {
                let screen = try terminal.visible()
                let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
                return lines.count >= rows && (screen.contains(secret) || rows < 4)
            }
        }
        try terminal.focus(false)
        try terminal.waitForLog("covered focus")
        try terminal.resize(columns: 60, rows: 12)
        try terminal.resize(columns: 100, rows: 30)
        try terminal.wait("the cover at the new size") { try terminal.visible().contains("Hidden while you are away") }
        #expect(try !terminal.everything().contains(secret))
        try terminal.focus(true)
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
        try terminal.key("q")
        try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        #expect(try !terminal.everything().contains(secret))
    }

    @Test("is covered when the client is detached, and nothing is in a buffer")
    func detach() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("screen")
        try terminal.focus(false)
        try terminal.focus(true)
        try terminal.waitForLog("redraw", times: 2)
        try terminal.tmux("detach-client")
        try terminal.wait("the cover") { try !terminal.visible().contains(secret) }
        #expect(try !terminal.everything().contains(secret))
        #expect(try terminal.tmux("list-buffers").isEmpty)
    }

    @Test(
        "is covered after inactivity, and says so, whether the terminal reports its focus or not",
        arguments: [false, true])
    func inactivity(reportsFocus: Bool) throws {
        let terminal = try Tmux()
        if !reportsFocus { try terminal.tmux("set", "-g", "focus-events", "off") }
        _ = try terminal.startProbe("inactive")
        if reportsFocus { try terminal.focus(true) }
        try terminal.waitForLog("covered inactivity")
        let screen = try terminal.visible()
        #expect(!screen.contains(secret) && screen.contains("no key was pressed"))
        try terminal.key("Space")
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
    }

    @Test("stays covered without focus through what a wheel over it sends, and is covered again after another key")
    func wheel() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("inactive")
        try terminal.focus(false)
        try terminal.waitForLog("covered focus")
        let drawn = terminal.logged().count { $0.what == "redraw" }
        for _ in 0..<3 { try terminal.key("Up") }
        try terminal.key("Space")
        try terminal.waitForLog("redraw", times: drawn + 1)
        try terminal.waitForLog("covered inactivity")
        #expect(terminal.logged().count { $0.what == "redraw" } == drawn + 1)
    }

    @Test(
        "is covered without focus though a key or a paste has begun something that has no end",
        arguments: ["1b 5d", "1b 5b 32 30 30 7e"])
    func unfinished(begun: String) throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("screen")
        for byte in begun.split(separator: " ") { try terminal.tmux("send-keys", "-H", String(byte)) }
        try terminal.focus(false)
        try terminal.waitForLog("covered focus")
        #expect(try !terminal.everything().contains(secret))
    }

    @Test("locks after inactivity, and shows nothing until it is unlocked")
    func lock() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("idle-lock")
        try terminal.waitForLog("locked")
        try terminal.wait("the lock screen") { try terminal.visible().contains("LOCKED") }
        #expect(try !terminal.everything().contains(secret))
        try terminal.focus(false)
        try terminal.waitForLog("covered focus")
        try terminal.focus(true)
        try terminal.waitForLog("locked", times: 2)
        #expect(try !terminal.everything().contains(secret))
        try terminal.key("u")
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
    }

    // Rule: an idle lock falls due behind a cover, too | only while nothing covers | waited in vain for "locked"
    @Test("locks after inactivity behind the cover that came first, and a late key does not prolong the time")
    func lockBehindCover() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("idle-lock-behind-cover")
        try terminal.waitForLog("covered inactivity")
        try terminal.waitForLog("locked")
        try terminal.key("x")
        try terminal.wait("the lock screen") { try terminal.visible().contains("LOCKED") }
        #expect(try !terminal.everything().contains(secret))
    }

    // Rule: a key that comes after a time has passed does not prolong it | what was typed handled first | waited in vain for "locked"
    @Test("locks before it takes a key that came while the program was busy")
    func lateKey() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("idle-lock")
        try terminal.waitForLog("locked")
        try terminal.key("u")
        // Busy for longer than the time after which it locks; the second key comes while it is.
        try terminal.key("w")
        try terminal.key("x")
        try terminal.waitForLog("locked", times: 2)
        try terminal.wait("the lock screen") { try terminal.visible().contains("LOCKED") }
    }

    // Rule: what is typed while locked reaches only what unlocks | events handed over unchanged | waited in vain for the locked paste: "q" had
    //   ended the program
    // Rule: what was typed before a lock is dropped with it | kept | "u" unlocks
    @Test("gives no key and no paste to what is locked, and none that was typed before the lock to what unlocks")
    func lockedInput() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("screen")
        try terminal.key("l")
        try terminal.wait("the lock screen") { try terminal.visible().contains("LOCKED") }
        try terminal.enter("yq!")
        try terminal.paste("CARD")
        try terminal.waitForLog("locked paste of 4")
        try terminal.key("u")
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
        try terminal.key("q")
        try terminal.waitForLog("end")
        #expect(!terminal.logged().contains { $0.what.hasPrefix("clipboard") || $0.what == "paste" })
        // "u" behind "l" was typed before the lock.
        _ = try terminal.startProbe("screen")
        let locks = terminal.logged().count { $0.what == "locked" }
        try terminal.tmux("send-keys", "-l", "lu")
        try terminal.waitForLog("locked", times: locks + 1)
        usleep(100_000)
        #expect(try terminal.visible().contains("LOCKED"))
    }

    @Test("locks when the user is away for too long, without waiting for the return")
    func awayLock() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("away-lock")
        try terminal.focus(false)
        try terminal.waitForLog("locked")
        #expect(try terminal.visible().contains("Hidden while you are away"))
        try terminal.focus(true)
        try terminal.wait("the lock screen") { try terminal.visible().contains("LOCKED") }
        #expect(try !terminal.everything().contains(secret))
        try terminal.key("u")
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
    }

    // Rule: a stop counts as away | only from the moment when it went on | a key showed the content
    @Test("locks when it goes on after a stop that was too long", arguments: [true, false])
    func stoppedTooLong(isBySignal: Bool) throws {
        let terminal = try Tmux()
        let (program, _) = try terminal.startProbe("away-lock")
        if isBySignal { kill(program, SIGSTOP) } else { try terminal.key("C-z") }
        try terminal.wait("the shell") { try terminal.visible().contains("Stopped") }
        sleep(2)
        try terminal.enter("fg")
        try terminal.waitForLog("locked")
        try terminal.key("Space")
        try terminal.wait("the lock screen") { try terminal.visible().contains("LOCKED") }
        #expect(try !terminal.everything().contains(secret))
    }

    // Rule: a terminal that takes no output holds up no lock | writes waited | waited in vain for "locked"
    @Test("locks while the terminal takes no output, and draws the lock screen once it does")
    func stalled() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("idle-lock")
        try terminal.waitForLog("locked")
        let path = try terminal.tmux("display-message", "-p", "#{pane_tty}")
        let inner = unsafe open(path.trimmingCharacters(in: .newlines), O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(inner) }
        tcflow(inner, TCOOFF)
        try terminal.key("u")
        try terminal.waitForLog("locked", times: 2)
        tcflow(inner, TCOON)
        try terminal.wait("the lock screen") { try terminal.visible().contains("LOCKED") }
        #expect(try !terminal.everything().contains(secret))
    }
}
