// SPDX-License-Identifier: Apache-2.0

public import InterfaceProtection
public import SecretMemory

/// Asks for a secret in a program that writes lines. It does so without echo, at the terminal itself, regardless of
/// redirected input and output. If the program ends or is stopped meanwhile, even by SIGKILL or SIGSTOP, the terminal
/// is restored and no typed character reaches the shell: see `Secret.readLine(prompt:shown:)`.
public enum SecretPrompt {
    /// Reads what the user types after `prompt`, up to the return key, as a value of `rule`. An error is shown and the
    /// user asked again, at most `attempts` times in all.
    ///
    /// Backspace and Control-U edit; Control-C and, on an empty line, Control-D give up.
    ///
    /// Errors: `TerminalError` `.noTerminal`, `.cancelled`, `.inUse`, `.noMemory`, `.system` (also for more than the
    /// 4,094 bytes that a terminal passes on). `SecretFieldError` `.tooLong` (for more than 1,024 bytes) or `.notText`.
    /// The rule's `Reason` after the last attempt.
    public static func ask<Value>(
        _ prompt: String, rule: Rule<Value>, attempts: Int = 3, messages: Messages = .english
    ) throws -> Value {
        for attempt in 1... {
            let field = try read(prompt)
            do {
                return try rule.parse(field)
            } catch {
                guard attempt < attempts else { throw error }
                try tell(messages.text(for: error))
            }
        }
        throw TerminalError(.cancelled, "nothing was typed")
    }

    /// Reads any text that the user types after `prompt`.
    public static func ask(_ prompt: String) throws -> Secret { try ask(prompt, rule: .secret(length: 0...1024)) }

    /// Reads a new secret, typed twice: at most three times, when the two are not the same. `rule` is applied to the
    /// first, before the second is asked for.
    ///
    /// Errors: those of `ask(_:rule:)`, and `Reason` `.different` after the third pair.
    public static func askTwice(
        _ prompt: String, again: String, rule: Rule<Secret> = .newPassword(), messages: Messages = .english
    ) throws -> Secret {
        for _ in 0..<3 {
            let first = try ask(prompt, rule: rule, messages: messages)
            let second = try ask(again)
            if try first.isEqual(to: second) { return first }
            try tell(messages.text(for: Reason(.different)))
        }
        throw Reason(.different)
    }

    /// Ends the prompt that is open, of `LineMode` too, from any thread: it throws `.cancelled`, and what was typed is
    /// dropped. For a lock that falls due while a prompt waits for the user. Without an open prompt nothing happens.
    public static func cancel() { Secret.cancelReadLine() }

    static func tell(_ text: String) throws {
        let device = try TerminalDevice(enter: "", leave: "")
        device.write(safe(text) + "\r\n")
    }

    /// `text` without terminal commands: some of it may come from a server.
    static func safe(_ text: String) -> String {
        text.reduce(into: "") { safe, character in
            if character == "\n" || character == "\r\n" {
                safe += "\r\n"
            } else {
                safe.append(CellWidth.safe(character))
            }
        }
    }

    private static func read(_ prompt: String) throws -> SecretField {
        let field = SecretField(in: ConfidentialContents())
        try line(prompt, shown: false).withSecretBytes { bytes in try field.append(bytes) }
        return field
    }

    /// A line as typed, with echo or without.
    static func line(_ prompt: String, shown: Bool) throws -> Secret {
        guard !TerminalDevice.isTaken else {
            throw TerminalError(.inUse, "the terminal is in use by another part of this program")
        }
        do {
            return try Secret.readLine(prompt: prompt, shown: shown)
        } catch let error as SecretMemoryError {
            throw switch error.code {
            case .cancelled: TerminalError(.cancelled, "cancelled")
            case .noTerminal: TerminalError(.noTerminal, "this program needs a terminal, and the process has none")
            case .terminal, .lineTooLong: TerminalError(.system, error.message, cause: error)
            default: TerminalError(.noMemory, "no memory for what was typed")
            }
        }
    }
}
