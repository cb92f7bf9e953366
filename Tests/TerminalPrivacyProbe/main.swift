// SPDX-License-Identifier: Apache-2.0
//
// A program for the tests of TerminalPrivacy, to be run in a terminal of theirs.

import Foundation
import InterfaceProtection
import SecretMemory
import TerminalPrivacy

let arguments = CommandLine.arguments
let mode = arguments.count > 1 ? arguments[1] : ""

/// Writes a line with the time into the file that PROBE_LOG names.
func log(_ line: String) {
    guard let path = ProcessInfo.processInfo.environment["PROBE_LOG"], let file = unsafe fopen(path, "a") else {
        return
    }
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    unsafe fputs("\(time.tv_sec * 1_000_000_000 + time.tv_nsec) \(getpid()) \(line)\n", file)
    unsafe fclose(file)
}

func showScreen(_ policy: TerminalPolicy) throws {
    let terminal = try PrivateTerminal(policy: policy)
    log("started supervised=\(isSupervised)")
    var message = ""
    while let event = try terminal.next() {
        switch event {
        case .key(.character("q")): return
        case .key(.character("!")): preconditionFailure("a crash on purpose")
        case .key(.character("l")): terminal.lock()
        case .key(.character("u")) where terminal.isLocked: terminal.unlock()
        case .key(.character("y")): try terminal.copy(Secret(copying: Array("CARD-4111-7391".utf8)))
        case .clipboard(let outcome):
            message = outcome.explanation
            log("clipboard \(outcome)")
        case .covered(let reason): log("covered \(reason)")
        case .redraw: log("redraw")
        case .locked:
            log("locked")
            terminal.drawLocked { $0.centered("LOCKED", row: 2) }
        case .key, .paste, .timeout: break
        }
        terminal.draw { canvas in
            canvas.box(0, 0, width: canvas.columns, height: canvas.rows, title: "Probe")
            for row in 1..<max(1, canvas.rows - 1) { canvas.text("CARD-4111-7391 in row \(row)", at: 2, row) }
            canvas.text(message, at: 40, 1)
        }
    }
}

func showForm() throws {
    let terminal = try PrivateTerminal()
    let (email, password) = (TextInput(), SecretField())
    let form = Form(
        FormField("email", label: "E-mail", text: email, rule: .email()),
        FormField("password", label: "Password", secret: password, rule: .password))
    var view = TerminalForm(form.entries)
    var state = "ready"
    while let event = try terminal.next() {
        if case .key(let key) = event, view.handle(key) == .submit {
            do {
                let values = try form.values()
                state = "logged in as \(values.0), \(values.1.count) bytes"
                password.handle(.submitted)
                log("submitted")
            } catch {
                view.show(error)
            }
        }
        if case .key(.escape) = event { return }
        if case .paste(let secret) = event { view.paste(secret) }
        terminal.draw { canvas in
            view.draw(&canvas, at: 2, 2, width: 60)
            canvas.text(state, at: 2, 12)
        }
    }
}

func run() throws {
    switch mode {
    case "screen": try showScreen(TerminalPolicy(title: "Probe"))
    case "inactive": try showScreen(TerminalPolicy(coversAfterInactivity: .milliseconds(300), title: "Probe"))
    case "idle-lock": try showScreen(TerminalPolicy(locksAfterInactivity: .milliseconds(300)))
    case "clipboard":
        let clipboard = ClipboardPolicy(isAllowed: true, clearsAfter: .milliseconds(300))
        try showScreen(TerminalPolicy(clipboard: clipboard))
    case "form": try showForm()
    case "prompt":
        let secret = try SecretPrompt.ask("Password: ", rule: .secret(length: 4...20))
        print("got \(secret.count) bytes")
    case "prompt-twice":
        let secret = try SecretPrompt.askTwice("New: ", again: "Again: ", rule: .secret(length: 4...20))
        print("got \(secret.count) bytes")
    default: print("usage: probe screen|inactive|idle-lock|clipboard|form|prompt|prompt-twice")
    }
}

do {
    if arguments.contains("--alone") { try run() } else { try supervised { try run() } }
    log("end")
    print("probe ends")
} catch {
    print("probe fails: \(error)")
    exit(3)
}
