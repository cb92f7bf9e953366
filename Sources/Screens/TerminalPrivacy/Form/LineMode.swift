// SPDX-License-Identifier: Apache-2.0

public import InterfaceProtection
import SecretMemory

/// Questions and answers line by line, for screen readers and for terminals that can't move the cursor. Nothing is
/// drawn: no byte of a terminal command is written.
///
/// A line that was written stays on the screen and in the scrollback. So ask before you write a secret, and write
/// nothing confidential that wasn't asked for.
public enum LineMode {
    /// Whether a program should write lines instead of drawing: `TERM` is "dumb", empty or not set, or `ZAMOK_LINES` is
    /// set to anything but 0, for people with a screen reader.
    public static var isWanted: Bool { isWanted(in: ProcessEnvironment.current) }

    static func isWanted(in environment: [String: String]) -> Bool {
        if let lines = environment["ZAMOK_LINES"], !lines.isEmpty { return lines != "0" }
        return !canDraw(in: environment)
    }

    /// Whether the terminal can move the cursor: `TERM` says so, or the user by `ZAMOK_LINES=0`.
    static func canDraw(in environment: [String: String]) -> Bool {
        environment["ZAMOK_LINES"] == "0" || !["", "dumb"].contains(environment["TERM"] ?? "")
    }

    /// Writes `text` as lines to the terminal, without any terminal command that it may contain.
    ///
    /// Errors: `TerminalError` `.noTerminal`, `.inUse`, `.system`.
    public static func say(_ text: String) throws { try SecretPrompt.tell(text) }

    /// Reads a line that may be shown while it is typed. A line that is too long or not text in UTF-8 is refused with a
    /// message, and asked for again.
    ///
    /// Errors: those of `SecretPrompt.ask(_:)`.
    public static func ask(_ question: String) throws -> String {
        while true {
            do {
                if let text = try String(exposing: try SecretPrompt.line(question, shown: true)) { return text }
                try say("What was typed is not text in UTF-8. Type it again.")
            } catch let error as TerminalError where error.isOfTheLine {
                try say("What was typed is too long. Type less.")
            }
        }
    }

    /// Fills in a form: asks for each field by its label, secrets without echo. What is wrong is said at once and the
    /// field asked for again, at most `attempts` times. Then submit the form, which checks all of it.
    ///
    /// Errors: those of `SecretPrompt.ask(_:)`. `FormProblems` with the field that is still wrong. All secrets of the
    /// form are cleared then.
    public static func fill(_ entries: [FormEntry], attempts: Int = 3, messages: Messages = .english) throws {
        do {
            for entry in entries { try fill(entry, attempts: max(1, attempts), messages) }
        } catch {
            for entry in entries { entry.secret?.clear() }
            throw error
        }
    }

    private static func fill(_ entry: FormEntry, attempts: Int, _ messages: Messages) throws {
        for attempt in 1... {
            if let field = entry.secret {
                field.clear()
                try SecretPrompt.line(entry.label + ": ", shown: false).withSecretBytes { try field.append($0) }
            } else {
                entry.text?.text = try ask(entry.label + ": ")
            }
            guard let problem = entry.problem else { return }
            try say(entry.label + ": " + messages.text(for: problem.reason))
            if attempt == attempts { throw FormProblems([problem]) }
        }
    }
}
