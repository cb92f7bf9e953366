// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import Statuses

/// The sources of passcodes: a named file, otherwise a prompt at the terminal. Never a command-line argument.
enum Passcodes {
    /// The file from `--passcode-file`, otherwise from `$ZAMOK_PASSCODE_FILE`.
    static func file(_ choice: HomeChoice) -> String? { choice.passcodeFile ?? PasscodeFile.pathInEnvironment }

    /// The passcode read from a descriptor, which can be read only once.
    private static let handedOver = Locked<(descriptor: Int32, passcode: Secret)?>(nil)

    /// The home's passcode. If none is set, it throws without a prompt.
    static func current(_ home: Home, _ choice: HomeChoice) throws -> SecretBytes {
        guard try home.keybag.hasPasscode else { throw home.keybag.noPasscode() }
        if let path = file(choice) { return try read(path) }
        return try ask(home)
    }

    /// A new passcode, from the file at `path` (given by `option`), or from a prompt that is repeated. One that is
    /// trivial to guess is refused, before it is asked for again, unless `weak` is set.
    static func new(
        _ prompter: any Prompter, path: String?, option: String, weak: Bool
    ) throws -> SecretBytes {
        if let path {
            let passcode = try read(path)
            try refuseWeak(passcode, weak)
            return passcode
        }
        return try ask(prompter, purpose: .newPasscode, option: option) { passcode in
            guard passcode.count > 0 else { throw DataProtectionError(.invalidArgument, "the passcode is empty") }
            if !weak, let weakness = try weakness(of: passcode) {
                throw DataProtectionError(.invalidArgument, weakness)
            }
        }
    }

    /// Prompts for the home's passcode, unless a delay after wrong passcodes still applies.
    static func ask(_ home: Home) throws -> SecretBytes {
        let wait = try home.status().nextAttempt
        guard wait <= .zero else {
            throw DataProtectionError(
                .tooManyAttempts, "too many wrong passcodes; try again in \(wait.components.seconds + 1) seconds")
        }
        return try ask(home.prompter, purpose: .passcode, option: "--passcode-file")
    }

    /// Prompts at the terminal. Without a terminal the error names `option`. `check` refuses a new secret before it is
    /// asked for again.
    static func ask(
        _ prompter: any Prompter, purpose: PromptRequest.Purpose, option: String, reason: String = "",
        check: @escaping @Sendable (borrowing SecretBytes) throws -> Void = { _ in }
    ) throws -> SecretBytes {
        do {
            var request = PromptRequest(purpose: purpose, reason: reason)
            request.check = check
            return try prompter.answer(request)
        } catch {
            guard error.code != .invalidArgument else { throw CommandFailure.usage(error.message) }
            guard error.code == .noTerminal else { throw error }
            throw CommandFailure.status(
                .interactionRequired, "there is no terminal to ask at; name a file with \(option)")
        }
    }

    /// Reads a passcode file. An unusable file is wrong usage.
    static func read(_ path: String) throws -> SecretBytes {
        do {
            return try readFile(path)
        } catch {
            throw [.invalidArgument, .unsafeHome, .io].contains(error.code)
                ? CommandFailure.usage(error.message) : error
        }
    }

    /// Reads a passcode file. `-` is standard input, unless it is a terminal.
    static func readFile(_ path: String) throws(DataProtectionError) -> SecretBytes {
        guard path != "-" || !StandardInput.isTerminal else {
            throw DataProtectionError(
                .invalidArgument, "standard input is a terminal, which shows what is typed; leave --passcode-file out")
        }
        let path = path == "-" ? "/dev/fd/0" : path
        guard let descriptor = PasscodeFile.descriptor(path) else { return try PasscodeFile.read(path) }
        if let known = handedOver.withLock({ $0 }), known.descriptor == descriptor { return try copy(known.passcode) }
        let passcode = Secret(try PasscodeFile.read(path))
        handedOver.withLock { $0 = (descriptor, passcode) }
        return try copy(passcode)
    }

    private static func copy(_ secret: Secret) throws(DataProtectionError) -> SecretBytes {
        do {
            return try secret.withSecretBytes { bytes in
                let empty = try SecretBytes(count: 0) { _ in }
                return try bytes.joined(with: empty)
            }
        } catch {
            throw DataProtectionError(.notAvailable, "there is no memory for the passcode", cause: error)
        }
    }

    /// The minimum length of a passcode without `--weak`, in characters. Phones began with four digits.
    private static let shortest = 4

    /// Refuses a passcode that is trivial to guess, unless `--weak` is given.
    static func refuseWeak(_ passcode: borrowing SecretBytes, _ isWanted: Bool) throws {
        guard !isWanted, let weakness = try weakness(of: passcode) else { return }
        throw CommandFailure.usage(weakness)
    }

    /// Why a passcode is trivial to guess; nil if it isn't. An empty one is refused elsewhere.
    private static func weakness(of passcode: borrowing SecretBytes) throws -> String? {
        let characters = try characters(in: passcode)
        guard characters < shortest, characters > 0 else { return nil }
        return
            "the new passcode has fewer than \(shortest) characters, which is guessed in no time; nothing was changed; take a longer one, or add --weak"
    }

    static func characters(in text: borrowing SecretBytes) throws -> Int {
        let count = text.count
        return try text.withBytes { span in
            (0..<count).count { (span.bigEndian(at: $0, as: UInt8.self) ?? 0) & 0xC0 != 0x80 }
        }
    }
}

/// Answers prompts for items: from the passcode file if there is one, otherwise by a prompt at the terminal.
struct ItemPrompter: Prompter {
    /// A program that prompts instead of the terminal.
    static let program = Locked<AskProgram?>(nil)

    let passcodeFile: String?

    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        if request.purpose == .passcode, let passcodeFile { return try Passcodes.readFile(passcodeFile) }
        if let program = Self.program.withLock({ $0 }) { return try program.answer(request) }
        do {
            return try TerminalPrompter().answer(request)
        } catch {
            guard error.code == .noTerminal else { throw error }
            throw DataProtectionError(
                .noTerminal, "the passcode is asked for, and there is no terminal; name a file with --passcode-file",
                cause: error
            )
        }
    }
}

/// A question at the terminal whose answer is visible.
enum Question {
    /// Asks before a change without a way back, unless `isGiven` (`--yes`). Errors: that the user cancelled, with
    /// `refusal`, if none of `words` is typed; those of `ask`.
    static func confirm(_ question: String, by words: [String], isGiven: Bool, or refusal: String) throws {
        guard try isGiven || words.contains(ask(question)) else {
            throw CommandFailure.status(.userCancelled, refusal)
        }
    }

    /// Asks before the configuration of another program is written.
    static func confirmWriting(isGiven: Bool) throws {
        try confirm(
            "Write it? [y/N] ", by: ["y", "Y", "yes", "Yes", "YES"], isGiven: isGiven, or: "nothing was changed")
    }

    /// Returns the answer without its line end. Throws if there is no terminal.
    static func ask(_ question: String) throws -> String {
        do {
            return try String(exposing: Secret.readLine(prompt: question, shown: true)) ?? ""
        } catch let error as SecretMemoryError where error.code == .noTerminal {
            throw CommandFailure.status(.interactionRequired, "there is no terminal to ask at; add --yes")
        }
    }
}
