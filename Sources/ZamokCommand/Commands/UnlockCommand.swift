// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// `zamok unlock`
struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the home with the passcode.",
        discussion: """
            The class keys go into the kernel's keyring, where every process of this user finds them, until zamok lock, until \
            the time of --for is over or until the machine stops. Where the system forbids the keyring, as Docker does, an \
            unlock can't outlive its process: use zamok run there.

            EXAMPLES:
              zamok unlock
              zamok unlock --for 15m
              zamok unlock --passcode-file /run/secrets/passcode
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(
        name: .customLong("for"), help: ArgumentHelp("Lock again after this time: 90s, 15m, 8h, 7d.", valueName: "time")
    )
    var duration: DurationWord?

    func run() throws {
        // The holder is demanded: an unlock that ends with this process would be none.
        let home = try Session.open(global.choice, .kernelKeyring)
        try home.keybag.unlock(passcode: try Passcodes.current(home, global.choice), for: duration?.duration)
    }
}
