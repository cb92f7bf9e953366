// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import SecretMemory

/// Where the passphrase of an export, or of a file of keys, comes from.
struct PassphraseOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file with the passphrase, by the same rules as --passcode-file.", valueName: "path"),
        completion: .file()
    )
    var passphraseFile: String?

    /// A new one is asked for twice.
    func read(_ home: Home, isNew: Bool) throws -> SecretBytes {
        if let passphraseFile { return try Passcodes.read(passphraseFile) }
        let first = try ask(home, isNew ? "to seal the export" : "to open the export")
        guard isNew else { return first }
        guard try first.isEqual(to: ask(home, "once more")) else {
            throw CommandFailure.usage("the two passphrases differ; nothing was written")
        }
        return first
    }

    /// The passphrase of a file of keys, as text.
    func text(_ home: Home) throws -> String {
        let secret = Secret(
            try passphraseFile.map { try Passcodes.read($0) } ?? ask(home, "to open the file of keys"))
        guard let text = try String(exposing: secret) else {
            throw CommandFailure.usage("the passphrase is not text in UTF-8")
        }
        return text
    }

    private func ask(_ home: Home, _ reason: String) throws -> SecretBytes {
        try Passcodes.ask(home, .exportPassphrase, "--passphrase-file", reason: reason)
    }
}
