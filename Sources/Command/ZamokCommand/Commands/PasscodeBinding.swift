// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import TPMs

/// `zamok passcode bind`
struct PasscodeBind: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bind",
        abstract: "Bind the passcode to the TPM, which counts wrong ones.",
        discussion: """
            From then on the passcode opens nothing without a value that the TPM gives for the right one alone. After as many wrong tries as the TPM allows it gives nothing to \
            any program for a while, however the files are changed between; that wait is told as such, never as a wrong passcode. A cut of power counts as a wrong try on many TPMs. \
            The TPM has to have the device secret (zamok device tpm), whose recovery code replaces the TPM here too. New class keys are drawn.

            Where the TPM has room, it also forgets each passcode that was changed: copies of the home from before open with the recovery code alone.

            What the count is worth depends on who may undo it: see zamok device lockout. zamok device file undoes the binding of the root home.

            EXAMPLES:
              zamok passcode bind
              zamok passcode bind --passcode-file pass --user anna
            """
    )

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let home = try ChosenHome.open(global.reading)
        let passcode = try Passcodes.current(home, global.reading)
        HomeStores.open(home)
        try home.keybag.bindPasscode(passcode)
        let lockout = try home.lockout()
        let rest =
            lockout?.isGuarded == false
            ? " Any program that may use the TPM can undo that; see: zamok device lockout" : ""
        try Channel.error.line("The TPM counts wrong passcodes from now on.\(rest)")
    }
}

/// `zamok passcode unbind`
struct PasscodeUnbind: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unbind",
        abstract: "Let the passcode count without the TPM.",
        discussion: """
            It is asked for as ever, and the TPM with it. With --recovery the recovery code replaces a TPM that is broken, was cleared, or waits.

            EXAMPLES:
              zamok passcode unbind
              zamok passcode unbind --recovery
              zamok passcode unbind --recovery --code-file code --user anna
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var recovery: RecoveryOptions

    func run() throws {
        try recovery.recover { try ChosenHome.open(global.reading).keybag }
        let home = try ChosenHome.open(global.reading)
        guard try home.status().passcodeTPM != nil else {
            return try Channel.error.line("The passcode is bound to no TPM; nothing was changed.")
        }
        try home.keybag.unbindPasscode(try Passcodes.current(home, global.reading))
        try Channel.error.line("The passcode counts without the TPM from now on.")
    }
}
