// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// `zamok passcode change`
struct PasscodeChange: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change the passcode.",
        discussion: """
            The class keys are wrapped under the new passcode; no item is touched, and the time doesn't depend on their number.
            With --rotate new class keys are drawn too.

            EXAMPLES:
              zamok passcode change
              zamok passcode change --passcode-file old --new-passcode-file new --rotate
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp("A file with the new passcode, by the same rules as --passcode-file.", valueName: "path"),
        completion: .file()
    )
    var newPasscodeFile: String?

    @Flag(help: "Draw new class keys; the old ones are kept only until everything is wrapped under the new ones.")
    var rotate = false

    func run() throws {
        let home = try Session.open(global.choice)
        if rotate { HomeStores.open(home) }
        let old = try Passcodes.current(home, global.choice)
        try home.keybag.changePasscode(
            from: old, to: try Passcodes.new(home, newPasscodeFile, "--new-passcode-file"), rotatingKeys: rotate)
        try Channel.error.line("The passcode is changed.")
    }
}
