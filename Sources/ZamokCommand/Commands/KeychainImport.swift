// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Keychains

/// `zamok keychain import`
struct KeychainImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add items from an export, from JSON lines or from secret-tool.",
        discussion: """
            All that can be added is added in one transaction, or nothing. Items that exist already stay as they are and are \
            counted. Of a text, what can't be an item is refused line by line; the status is then 206.

            JSON lines are what zamok keychain list --json --value prints. Of secret-tool it is what search --all prints to \
            both its outputs: service, username and server become fields, other attributes are kept in the comment.

            EXAMPLES:
              zamok keychain import backup.zamok
              zamok keychain import items.jsonl
              secret-tool search --all --unlock service mail 2>&1 | zamok keychain import -
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "The file to read; - is standard input, for text.", completion: .file())
    var file: String

    @Option(help: "What the file is; told by its first bytes if it is left out.")
    var format: ImportFormat?

    @Flag(help: "Print what was done as a JSON object.")
    var json = false

    func run() throws {
        let source = try ImportSource(file, format)
        let home = try Session.openUnlocked(global.choice)
        let bar = ProgressBar()
        defer { bar.finish() }
        switch source {
        case .export(let path):
            let secret = try passphrase.read(home, isNew: false)
            let transfer = try KeychainExport.read(from: path, into: home, passphrase: secret) {
                bar.update($0, of: $1)
            }
            bar.finish()
            try report(transfer, [])
        case .listing(let listing):
            let total = listing.records.count
            let transfer = try Keychain(home: home).add(contentsOf: listing) { bar.update($0, of: total) }
            bar.finish()
            try report(transfer, listing.refusals)
        }
    }

    private func report(_ transfer: KeychainTransfer, _ refusals: [ItemListing.Refusal]) throws {
        try Channel.output.lines(
            json
                ? [TransferPrinter.json(transfer, "added", refusals).line]
                : TransferPrinter.lines(transfer, "added", refusals)
        )
        guard refusals.isEmpty, transfer.leftOut[.refused, default: 0] == 0 else {
            throw CommandFailure.silent(CommandFailure.exitStatus(of: -50))
        }
    }
}
