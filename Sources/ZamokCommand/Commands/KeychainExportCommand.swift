// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// `zamok keychain export`
struct KeychainExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all items to a file, sealed under a passphrase.",
        discussion: """
            For moving to another home. The passphrase has at least 8 characters and is asked for twice, or read from \
            --passphrase-file; whoever has the file can guess at it without end, so let it be long. Left out, and counted: \
            items that are bound to this device or ask for the person each time, and those that are locked or damaged; status 206 \
            if any of the latter was there. The file must not exist yet; it is read back before it gets its name.

            EXAMPLES:
              zamok keychain export backup.zamok
              zamok keychain export backup.zamok --passphrase-file passphrase --json
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(help: "Print what was done as a JSON object.")
    var json = false

    func run() throws {
        let home = try Session.openUnlocked(global.choice)
        let bar = ProgressBar()
        let secret = try passphrase.read(home, isNew: true)
        let transfer = try KeychainExport.write(home, to: file, passphrase: secret) { bar.update($0, of: $1) }
        bar.finish()
        try Channel.output.lines(
            json
                ? [TransferPrinter.json(transfer, "exported").line] : TransferPrinter.lines(transfer, "exported")
        )
        guard transfer.isWhole else { throw CommandFailure.inPart }
    }
}
