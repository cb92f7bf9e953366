// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// `zamok keychain delete`
struct KeychainDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an item.",
        discussion: """
            One item must match, or nothing is deleted; --all deletes every match. Neither the database nor its log holds the item afterwards.

            EXAMPLES:
              zamok keychain delete --service api --account deploy
              zamok keychain delete --service api --all
            """
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @Flag(help: "Delete every matching item, not only the one that must match otherwise.")
    var all = false

    func run() throws {
        let items = try selection.items()
        let keychain = Keychain(home: try Session.openUnlocked(global.choice))
        if all, items.reference == nil {
            try items.forAll { try keychain.delete(matching: $0) }
        } else {
            try keychain.delete(try items.only(in: keychain))
        }
    }
}
