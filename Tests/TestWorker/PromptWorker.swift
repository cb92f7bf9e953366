// SPDX-License-Identifier: Apache-2.0

import CPlatform
import CTestSupport
import Dispatch
import SecretMemory

/// Asks for secrets at a terminal.
///
/// - `test-worker prompt lead TERMINAL SCENARIO` runs SCENARIO as a shell would: in a session of its own on that
///   terminal, as its foreground group. It reports when SCENARIO stops or ends, and continues it when told to.
/// - `test-worker prompt shell TERMINAL SCENARIO` does the same, and says first how many typed bytes are left for what
///   reads next.
/// - `test-worker prompt jobs TERMINAL SCENARIO` runs another job in front when SCENARIO stops.
/// - `test-worker prompt nested TERMINAL SCENARIO` runs it as a shell that was started in a shell would.
/// - `test-worker prompt alone SCENARIO` runs it in a session without a terminal.
/// - `test-worker prompt ask|show|hold|handle|cancel|exit|pair` asks for a secret and says what came of it.
enum PromptWorker {
    static func run(_ arguments: [String]) throws {
        switch arguments[0] {
        case "lead", "shell", "jobs":
            inNewSession {
                lead(
                    arguments[2], terminal: unsafe tools_take_terminal(arguments[1]), reads: arguments[0] == "shell",
                    hasOtherJob: arguments[0] == "jobs")
            }
        case "nested":
            inNewSession {
                let terminal = unsafe tools_take_terminal(arguments[1])
                let inner = tools_fork()
                guard inner == 0 else { tools_exit(tools_wait(inner, 0)) }
                _ = tools_set_group(0, 0)
                _ = tools_set_foreground(terminal, zamok_process())
                lead(arguments[2], terminal: terminal, reads: false, hasOtherJob: false)
            }
        case "alone":
            inNewSession { become(arguments[1]) }
        case "ask":
            _ = ask()
        case "show":
            _ = ask(shown: true)
        case "hold":
            // Says nothing of the answer, so that no copy of it is made.
            let secret = try Secret.readLine(prompt: "Passcode: ")
            withExtendedLifetime(secret) {
                Conversation.say("holding \(secret.count)")
                awaitWord()
            }
        case "pair":
            // Another program of the same job.
            let other = tools_fork()
            if other == 0 { become("ask") }
            _ = ask()
            _ = tools_wait(other, 0)
        case "handle":
            signal(SIGTERM) { _ in
                let terminal = unsafe zamok_open(AT_FDCWD, "/dev/tty", O_RDWR, 0)
                Conversation.say("handled, echo \(tools_terminal_echoes(terminal))")
            }
            _ = ask()
        case "cancel":
            DispatchQueue.global().async {
                awaitWord()
                Secret.cancelReadLine()
            }
            _ = ask()
            _ = ask()
        case "exit":
            DispatchQueue.global().async {
                awaitWord()
                exit(7)
            }
            _ = ask()
        default: Conversation.say("error: no such scenario")
        }
    }

    private static func awaitWord() {
        var byte: UInt8 = 0
        _ = unsafe zamok_read_at(0, &byte, 1, -1)
    }

    private static func become(_ scenario: String) -> Never {
        _ = unsafe tools_execute("/proc/self/exe", "prompt", scenario)
        tools_exit(127)
    }

    private static func lead(_ scenario: String, terminal: Int32, reads: Bool, hasOtherJob: Bool) -> Never {
        let child = tools_fork()
        if child == 0 {
            _ = tools_set_group(0, 0)
            _ = tools_set_foreground(terminal, zamok_process())
            become(scenario)
        }
        Conversation.say("asking \(child)")
        while true {
            let status = tools_wait(child, 1)
            _ = tools_set_foreground(terminal, zamok_process())
            if reads { Conversation.say("left \(tools_terminal_left(terminal))") }
            guard status >= 256 else {
                Conversation.say("ended \(status)")
                // The terminal is hung up when the leader of its session ends.
                awaitWord()
                tools_exit(0)
            }
            if hasOtherJob { runOtherJob(in: terminal) }
            Conversation.say("stopped \(status - 256)")
            awaitWord()
            _ = tools_set_foreground(terminal, child)
            kill(child, SIGCONT)
        }
    }

    /// Ends with the terminal.
    private static func runOtherJob(in terminal: Int32) {
        let other = tools_fork()
        if other == 0 { while true { usleep(1_000_000) } }
        _ = tools_set_group(other, other)
        _ = tools_set_foreground(terminal, other)
    }

    private static func ask(shown: Bool = false) -> Secret? {
        do {
            let secret = try Secret.readLine(prompt: "Pass\u{1B}code: ", shown: shown)
            Conversation.say("answer \(try String(exposing: secret) ?? "not text")")
            return secret
        } catch let error as SecretMemoryError {
            let names: [SecretMemoryError.Code: String] = [
                .cancelled: "cancelled", .noTerminal: "no terminal", .lineTooLong: "line too long",
                .terminal: "terminal",
            ]
            Conversation.say("error \(names[error.code] ?? "another")")
        } catch {
            Conversation.say("error of another kind")
        }
        return nil
    }

    /// In its own session, which only a process that leads no group may begin.
    private static func inNewSession(_ body: () -> Never) -> Never {
        let child = tools_fork()
        guard child == 0 else { tools_exit(tools_wait(child, 0)) }
        setsid()
        body()
    }
}
