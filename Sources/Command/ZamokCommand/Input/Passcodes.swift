// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import Statuses

/// Where passcodes come from: a file that was named, else a prompt at the terminal. Never standard input, never argv.
enum Passcodes {
    /// The file of `--passcode-file`, else of `$ZAMOK_PASSCODE_FILE`.
    static func file(_ choice: HomeChoice) -> String? { choice.passcodeFile ?? PasscodeFile.pathInEnvironment }

    /// The home's passcode.
    static func current(_ home: Home, _ choice: HomeChoice) throws -> SecretBytes {
        if let path = file(choice) { return try read(path) }
        return try ask(home, .passcode, "--passcode-file")
    }

    /// A new passcode, from the file at `path` (given by `option`), or asked for twice.
    static func new(_ home: Home, _ path: String?, _ option: String) throws -> SecretBytes {
        if let path { return try read(path) }
        return try ask(home, .newPasscode, option)
    }

    /// Asks at the terminal; where there is none, `option` is named.
    static func ask(
        _ home: Home, _ purpose: PromptRequest.Purpose, _ option: String, reason: String = ""
    ) throws -> SecretBytes {
        do {
            return try home.prompter.answer(PromptRequest(purpose: purpose, reason: reason))
        } catch {
            guard error.code != .invalidArgument else { throw CommandFailure.usage(error.message) }
            guard error.code == .noTerminal else { throw error }
            throw CommandFailure.status(
                .interactionRequired, "there is no terminal to ask at; name a file with \(option)")
        }
    }

    /// A file that can't be used is wrong usage.
    static func read(_ path: String) throws -> SecretBytes {
        do {
            return try PasscodeFile.read(path)
        } catch {
            throw [.invalidArgument, .unsafeHome, .io].contains(error.code)
                ? CommandFailure.usage(error.message) : error
        }
    }
}

/// Answers items that ask for a person: with the passcode file if there is one, else by asking at the terminal.
struct ItemPrompter: Prompter {
    let passcodeFile: String?

    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        if request.purpose == .passcode, let passcodeFile { return try PasscodeFile.read(passcodeFile) }
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

/// A question whose answer may be seen, asked at the terminal itself.
enum Question {
    /// The answer without its end. Without a terminal nobody is asked, and the command says so.
    static func ask(_ question: String) throws -> String {
        do {
            return try String(exposing: Secret.readLine(prompt: question, shown: true)) ?? ""
        } catch let error as SecretMemoryError where error.code == .noTerminal {
            throw CommandFailure.status(.interactionRequired, "there is no terminal to ask at; add --yes")
        }
    }
}
