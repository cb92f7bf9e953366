// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// `zamok keychain list`
struct KeychainList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List items.",
        discussion: """
            All items that have the given fields: class, service or server, account, group, accessibility. With --json one object a line, \
            which zamok keychain import reads. Damaged items are left out; zamok doctor names them. An identity is a certificate with its \
            private key: both are listed, and --class identity lists where both are.

            EXAMPLES:
              zamok keychain list
              zamok keychain list --service api
              zamok keychain list --class identity
              zamok keychain list --json --value > all-my-secrets-in-clear.jsonl
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @Flag(name: [.long, .customShort("w")], help: "With --json: the secrets too.")
    var value = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        guard json || !value else {
            throw ValidationError("--value prints one secret: use it with find, or with --json")
        }
    }

    func run() throws {
        let items = try selection.items(everything: true)
        let keychain = Keychain(home: try Session.openUnlocked(global.choice))
        let found = try items.find(in: keychain, includingSecrets: value)
        let lines =
            json
            ? try found.map { try ItemPrinter.json($0).line }
            : Table(rows: found.map(ItemPrinter.row)).lines(aligned: Channel.output.isTerminal)
        try Channel.output.lines(lines)
    }
}
