// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import SecretMemory

/// Where the passphrase of an export comes from.
struct PassphraseOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file with the passphrase, by the same rules as --passcode-file.", valueName: "path"),
        completion: .file()
    )
    var passphraseFile: String?

    /// A new one is asked for twice.
    func read(_ home: Home, isNew: Bool) throws -> SecretBytes {
        if let passphraseFile { return try Passcodes.read(passphraseFile) }
        return try Passcodes.ask(
            home, .exportPassphrase, "--passphrase-file", reason: isNew ? "to seal the export" : "to open the export"
        )
    }
}
