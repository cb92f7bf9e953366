// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// `zamok keychain update`
struct KeychainUpdate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change an item's secret or fields.",
        discussion: """
            Without a --new option the secret is replaced: by standard input, byte for byte, or by what is typed twice at the terminal. \
            With one, only these fields change, unless --secret says that the secret is to be replaced too.

            EXAMPLES:
              printf %s "$TOKEN" | zamok keychain update --service api --account deploy
              zamok keychain update --service api --account deploy --new-account release
              zamok keychain update --service api --new-accessible after-first-unlock --all
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection
    @OptionGroup(title: "Changes") var changes: ChangeOptions

    @Flag(help: "Replace the secret too.")
    var secret = false

    @Flag(help: "Change every matching item, not only the one that must match otherwise.")
    var all = false

    @Flag(help: "Allow a secret that has no bytes.")
    var allowEmpty = false

    func run() throws {
        try selection.demandConditions()
        let keychain = Keychain(home: try Session.openUnlocked(global))
        let items = try selection.select(in: keychain, all: all)
        let newSecret = secret || changes.isEmpty ? try StandardInput.secret(allowingEmpty: allowEmpty) : nil
        for reference in items {
            var record = try changes.record(reference.itemClass ?? .genericPassword)
            record.secret = newSecret
            try keychain.update(reference, with: record)
        }
    }
}
