// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// `zamok passcode remove`
struct PasscodeRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the passcode.",
        discussion: """
            Items of class when-passcode-set are lost: their key goes with the passcode. All others are readable without a \
            passcode from then on.

            EXAMPLES:
              zamok passcode remove
            """
    )

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let home = try Session.open(global.choice)
        HomeStores.open(home)
        try home.keybag.removePasscode(try Passcodes.current(home, global.choice))
        try Channel.error.line(
            "The passcode is removed. Items of class when-passcode-set are gone, all others are always readable.")
    }
}
