// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// `zamok passcode set`
struct PasscodeSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the first passcode.",
        discussion: """
            It is asked for twice at the terminal, or read from --passcode-file: the whole file but one newline at its end. New \
            class keys are drawn, so that a copy of the home from before opens nothing new. The home stays unlocked.

            There is no way back to the items when the passcode is forgotten.

            EXAMPLES:
              zamok passcode set
              zamok passcode set --passcode-file /run/secrets/passcode
            """
    )

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let home = try Session.open(global.choice)
        HomeStores.open(home)
        try home.keybag.setPasscode(try Passcodes.new(home, Passcodes.file(global.choice), "--passcode-file"))
        try Channel.error.line("The passcode is set. The home is unlocked; lock it with: zamok lock")
    }
}
