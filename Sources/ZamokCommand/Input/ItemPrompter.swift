// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory

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
