// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `zamok passcode`
struct PasscodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode",
        abstract: "Set, change or remove the passcode.",
        discussion: """
            Without a passcode the home is always unlocked, and the device secret alone protects it. With one, the keys of all \
            protection classes but "always" exist only after an unlock.
            """,
        subcommands: [PasscodeSet.self, PasscodeChange.self, PasscodeRemove.self]
    )
}
