// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import InterfaceProtection
import SecretMemory
import TerminalPrivacy

/// test-worker terminal MODE [--alone] [--blocked]: a program with a private screen, to be run in a terminal of the
/// tests'.
struct TerminalProbe {
    let arguments: [String]

    func run() {
        // On a pseudo terminal that a test plays. What a supervisor starts has it from there.
        if let path = ProcessInfo.processInfo.environment["PROBE_TERMINAL"] {
            setsid()
            _ = unsafe tools_take_terminal(path)
            unsafe unsetenv("PROBE_TERMINAL")
        }

        do {
            if arguments.contains("--alone") { try show() } else { try supervised { try show() } }
            log("end")
            print("probe ends")
        } catch {
            print("probe fails: \(error)")
            exit(3)
        }
    }

    private var mode: String { arguments.first ?? "" }

    /// Writes a line with the time into the file that PROBE_LOG names.
    private func log(_ line: String) {
        guard let path = ProcessInfo.processInfo.environment["PROBE_LOG"], let file = unsafe fopen(path, "a") else {
            return
        }
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        unsafe fputs("\(time.tv_sec * 1_000_000_000 + time.tv_nsec) \(getpid()) \(line)\n", file)
        unsafe fclose(file)
    }

    private func showScreen(_ policy: TerminalPolicy) throws {
        if arguments.contains("--blocked") { blockSignals() }
        let terminal = try PrivateTerminal(policy: policy)
        log("started supervised=\(isSupervised)")
        var message = ""
        while let event = try terminal.next() {
            switch event {
            case .key(.character("q")): return
            case .key(.character("!")): preconditionFailure("a crash on purpose")
            case .key(.character("l")): terminal.lock()
            case .key(.character("w")): usleep(1_500_000)
            case .lockedKey(.character("u")): terminal.unlock()
            case .key(.character("y")): try terminal.copy(Secret(copying: Array("CARD-4111-7391".utf8)))
            case .clipboard(let outcome):
                message = outcome.explanation
                log("clipboard \(outcome)")
            case .covered(let reason): log("covered \(reason)")
            case .redraw: log("redraw")
            case .locked:
                log("locked")
                terminal.drawLocked { $0.centered("LOCKED", row: 2) }
            case .lockedPaste(let secret): log("locked paste of \(secret.count)")
            case .paste: log("paste")
            case .key, .lockedKey, .pasteRefused, .timeout: break
            }
            terminal.draw { canvas in
                canvas.box(0, 0, width: canvas.columns, height: canvas.rows, title: "Probe")
                for row in 1..<max(1, canvas.rows - 1) { canvas.text("CARD-4111-7391 in row \(row)", at: 2, row) }
                canvas.text(message, at: 40, 1)
            }
        }
    }

    /// Characters whose widths terminals disagree on, with a mark behind each.
    private func showWidths() throws {
        let terminal = try PrivateTerminal()
        log("started supervised=\(isSupervised)")
        let texts = ["क्षि", "👩‍👩‍👧‍👦", "é̃", "ﷺ", "日"]
        while let event = try terminal.next() {
            if case .key(.character("q")) = event { return }
            if case .key = event { log("key") }
            terminal.draw { canvas in
                canvas.text("CARD-4111", at: 2, 0)
                for (row, text) in texts.enumerated() { canvas.text(text + "|", at: 2, row + 1) }
            }
            log("widths " + texts.map { String(Canvas.width(of: $0)) }.joined(separator: " "))
        }
    }

    /// A login screen, another tab beside it (Control-T switches), and the screen after leaving it (Control-L).
    private func showForm(_ policy: ClearingPolicy) throws {
        let terminal = try PrivateTerminal()
        log("started supervised=\(isSupervised)")
        let (email, password) = (TextInput(), SecretField(policy: policy))
        let form = Form(
            FormField("email", label: "E-mail", text: email, rule: .email()),
            FormField("password", label: "Password", secret: password, rule: .password))
        var view = TerminalForm(form.entries)
        var (state, isHidden) = ("ready", false)
        while let event = try terminal.next() {
            switch event {
            case .key(.escape): return
            case .key(.control("t")):
                isHidden.toggle()
                password.handle(isHidden ? .hidden : .shown)
                state = isHidden ? "another tab" : "ready again"
            case .key(.control("l")):
                password.handle(.left)
                state = "left"
            case .key(let key):
                guard view.handle(key) == .submit else { break }
                do {
                    let values = try form.values()
                    state = "logged in as \(values.0), \(values.1.count) bytes"
                    password.handle(.submitted)
                    log("submitted")
                } catch {
                    view.show(error)
                }
            case .paste(let secret): view.paste(secret)
            case .pasteRefused(let reason): view.show(reason.explanation)
            default: break
            }
            terminal.draw { canvas in
                if !isHidden { view.draw(&canvas, at: 2, 2, width: 60) }
                canvas.text(state, at: 2, 12)
            }
        }
    }

    private func show() throws {
        switch mode {
        case "screen": try showScreen(TerminalPolicy(title: "Probe"))
        case "inactive": try showScreen(TerminalPolicy(coversAfterInactivity: .milliseconds(300), title: "Probe"))
        case "idle-lock": try showScreen(TerminalPolicy(locksAfterInactivity: .milliseconds(300)))
        case "idle-lock-behind-cover":
            try showScreen(
                TerminalPolicy(coversAfterInactivity: .milliseconds(500), locksAfterInactivity: .seconds(1)))
        case "away-lock":
            let screen = PrivacyScreen.Policy(locksAfter: .milliseconds(300))
            try showScreen(TerminalPolicy(screen: screen))
        case "clipboard":
            let clipboard = ClipboardPolicy(isAllowed: true, clearsAfter: .milliseconds(300))
            try showScreen(TerminalPolicy(clipboard: clipboard))
        case "clipboard-long":
            let clipboard = ClipboardPolicy(isAllowed: true, clearsAfter: .seconds(600))
            try showScreen(TerminalPolicy(clipboard: clipboard))
        case "widths": try showWidths()
        case "erase": try showScreen(TerminalPolicy(scrollback: .erase))
        case "form": try showForm(.standard)
        case "form-short": try showForm(ClearingPolicy(hidden: .clearAfter(.milliseconds(300))))
        case "prompt":
            let secret = try SecretPrompt.ask("Password: ", rule: .secret(length: 4...20))
            print("got \(secret.count) bytes")
        case "lines":
            let (name, password) = (TextInput(), SecretField())
            let form = Form(
                FormField("name", label: "Name", text: name, rule: .text(length: 1...9)),
                FormField("password", label: "Password", secret: password, rule: .secret(length: 4...20)))
            try LineMode.fill(form.entries)
            try LineMode.say("\(name.text) has \(password.count) bytes\u{1B}[2J")
        case "prompt-later":
            try showScreen(TerminalPolicy(title: "Probe"))
            let secret = try SecretPrompt.ask("Password: ", rule: .secret(length: 4...20))
            print("got \(secret.count) bytes")
        case "prompt-within":
            try withExtendedLifetime(try PrivateTerminal()) { _ in _ = try SecretPrompt.ask("Password: ") }
        case "prompt-twice":
            let secret = try SecretPrompt.askTwice("New: ", again: "Again: ", rule: .secret(length: 4...20))
            print("got \(secret.count) bytes")
        default: print("usage: probe MODE, one of the words above")
        }
    }

    /// As the threads have it on which Swift runs asynchronous code.
    private func blockSignals() {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}
