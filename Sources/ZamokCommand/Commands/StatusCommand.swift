// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// `zamok status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the home, and what is worse than it could be.",
        discussion: """
            Lock state, passcode, who keeps the keys and why, where the device secret lies, wrong passcodes so far, how secrets are \
            kept in memory. Warnings say what to do. No secret is shown, and nothing has to be unlocked.

            EXAMPLES:
              zamok status
              zamok status --json
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        let home = try Session.open(global.choice)
        var status = try home.status()
        var retired: RetiredKeys?
        if status.retiredKeys > 0 {
            // Opening a store may be all that they waited for.
            HomeStores.open(home)
            retired = try home.keybag.retiredKeys()
            status = try home.status()
        }
        if json {
            try Channel.output.line(StatusPrinter.json(status, retired).line)
        } else {
            try Channel.output.lines(StatusPrinter.lines(status, retired))
        }
    }
}
