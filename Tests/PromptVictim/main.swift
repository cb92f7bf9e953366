// SPDX-License-Identifier: Apache-2.0
//
// prompt-victim lead TERMINAL SCENARIO   runs SCENARIO as a shell would: in a session of its own on that terminal, as its
//                                        foreground group; says when it stops or ends, continues it when told to
// prompt-victim alone SCENARIO           runs it in a session without a terminal
// prompt-victim ask|show|hold|handle|exit asks for a secret and says what came of it

import CPlatform
import CTestTools
import Dispatch
import SecretMemory

func say(_ word: String) {
    let line = Array("\(word)\n".utf8)
    _ = unsafe zamok_write_at(1, line, line.count, -1)
}

func awaitWord() {
    var byte: UInt8 = 0
    _ = unsafe zamok_read_at(0, &byte, 1, -1)
}

func run(_ scenario: String) -> Never {
    _ = unsafe tools_execute("/proc/self/exe", scenario)
    tools_exit(127)
}

func lead(_ scenario: String, terminal: Int32) -> Never {
    let child = tools_fork()
    if child == 0 {
        _ = tools_set_group(0, 0)
        _ = tools_set_foreground(terminal, zamok_process())
        run(scenario)
    }
    say("asking \(child)")
    while true {
        let status = tools_wait(child, 1)
        _ = tools_set_foreground(terminal, zamok_process())
        guard status >= 256 else {
            say("ended \(status)")
            tools_exit(0)
        }
        say("stopped \(status - 256)")
        awaitWord()
        _ = tools_set_foreground(terminal, child)
        kill(child, SIGCONT)
    }
}

func ask(shown: Bool = false) -> Secret? {
    do {
        let secret = try Secret.readLine(prompt: "Pass\u{1B}code: ", shown: shown)
        say("answer \(try String(exposing: secret) ?? "not text")")
        return secret
    } catch let error as SecretMemoryError {
        let names: [SecretMemoryError.Code: String] = [
            .cancelled: "cancelled", .noTerminal: "no terminal", .lineTooLong: "line too long", .terminal: "terminal",
        ]
        say("error \(names[error.code] ?? "another")")
    } catch {
        say("error of another kind")
    }
    return nil
}

/// In its own session, which only a process that leads no group may begin.
func inNewSession(_ body: () -> Never) -> Never {
    let child = tools_fork()
    guard child == 0 else { tools_exit(tools_wait(child, 0)) }
    setsid()
    body()
}

let arguments = CommandLine.arguments
switch arguments[1] {
case "lead":
    inNewSession { lead(arguments[3], terminal: unsafe tools_take_terminal(arguments[2])) }
case "alone":
    inNewSession { run(arguments[2]) }
case "ask":
    _ = ask()
case "show":
    _ = ask(shown: true)
case "hold":
    // Says nothing of the answer, so that no copy of it is made.
    let secret = try Secret.readLine(prompt: "Passcode: ")
    withExtendedLifetime(secret) {
        say("holding \(secret.count)")
        awaitWord()
    }
case "handle":
    signal(SIGTERM) { _ in
        let terminal = unsafe zamok_open(AT_FDCWD, "/dev/tty", O_RDWR, 0)
        say("handled, echo \(tools_terminal_echoes(terminal))")
    }
    _ = ask()
case "exit":
    DispatchQueue.global().async {
        awaitWord()
        exit(7)
    }
    _ = ask()
default: say("error: no such scenario")
}
