// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// `zamok lock`
struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the home, for every process.",
        discussion: """
            The keys of when-unlocked and when-passcode-set are destroyed; items of these classes can't be read until the next \
            unlock, by any process. With --completely it is as before the first unlock: after-first-unlock is locked too.
            A home without a passcode can't be locked.

            EXAMPLES:
              zamok lock
              zamok lock --completely
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "As before the first unlock after a start of the machine.")
    var completely = false

    func run() throws {
        let keybag = try Session.open(global.choice).keybag
        if completely { try keybag.lockCompletely() } else { try keybag.lock() }
    }
}
