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
        // The line of fields stands before the secret on standard input.
        let items = try selection.items()
        let newSecret = secret || changes.isEmpty ? try StandardInput.secret(allowingEmpty: allowEmpty) : nil
        let keychain = Keychain(home: try Session.openUnlocked(global.choice))
        if all, items.reference == nil {
            // For all classes before the first is changed: a field that one of them lacks changes nothing.
            let records = try items.records.map { try changes.record($0.itemClass, newSecret) }
            try items.forAll { item in
                try records.first { $0.itemClass == item.itemClass }.map {
                    try keychain.update(matching: item, with: $0)
                } ?? 0
            }
        } else {
            let item = try items.only(in: keychain)
            try keychain.update(item, with: try changes.record(item.itemClass ?? .genericPassword, newSecret))
        }
    }
}
