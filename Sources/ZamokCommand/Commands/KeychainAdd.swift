// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// `zamok keychain add`
struct KeychainAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an item.",
        discussion: """
            The secret is read from standard input, byte for byte: no newline is dropped, so use printf %s and not echo. At a \
            terminal it is asked for twice. A certificate, key or PKCS#12 file is read from the file that is named; a passphrase is \
            asked for if it is encrypted. With --require-passcode whoever reads the secret later has to give the passcode each \
            time, unlocked or not. An item that exists already stays as it is (status 45); zamok keychain update changes it.

            EXAMPLES:
              printf %s "$TOKEN" | zamok keychain add --service api --account deploy
              zamok keychain add --server db.example.com --port 5432 --account app < password.txt
              zamok keychain add --service backup --account root --require-passcode
              zamok keychain add --service tls --accessible always --label "TLS key" < key.pem
              zamok keychain add --certificate server.pem --label "Test server"
              zamok keychain add --key key.pem --tag signing --require-passcode
              zamok keychain add --p12 client.p12 --passphrase-file passphrase
              printf '%s\\n%s' '{"service":"api","account":"deploy"}' "$TOKEN" | zamok keychain add --attributes-from -
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup(title: "Item") var item: ItemOptions
    @OptionGroup(title: "Certificates and keys") var files: KeyFileOptions
    @OptionGroup(title: "Certificates and keys") var passphrase: PassphraseOption

    @Flag(help: "Store an item whose secret has no bytes.")
    var allowEmpty = false

    @Flag(help: "Ask for the passcode each time the secret is read, though the home is unlocked.")
    var requirePasscode = false

    @Flag(help: "Print the stored item, without its secret, as a JSON object.")
    var json = false

    func run() throws {
        guard files.isEmpty else { return try addFromFile() }
        guard var record = try item.records().first.map(constrained) else { return }
        guard !record.isEmpty else {
            throw CommandFailure.usage("say what the item is called, for example with --service and --account")
        }
        guard record.itemClass == .genericPassword || record.itemClass == .internetPassword else {
            throw CommandFailure.usage("certificates and keys come from a file: --certificate, --key or --p12")
        }
        record.secret = try StandardInput.secret(allowingEmpty: allowEmpty)
        let added = try Keychain(home: try Session.openUnlocked(global.choice)).add(record)
        if json { try Channel.output.line(try ItemPrinter.json(added).line) }
    }

    private func addFromFile() throws {
        let home = try Session.openUnlocked(global.choice)
        let added = try files.add(
            to: Keychain(home: home), { constrained(try item.record(of: $0)) },
            passphrase: { try passphrase.text(home) })
        if json { try Channel.output.lines(try added.map { try ItemPrinter.json($0).line }) }
    }

    private func constrained(_ record: ItemRecord) -> ItemRecord {
        var record = record
        if requirePasscode { record.accessControl = .devicePasscode }
        return record
    }
}
