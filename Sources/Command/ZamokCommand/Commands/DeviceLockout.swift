// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Statuses
import TPMs

/// `zamok device lockout`
struct DeviceLockout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockout",
        abstract: "Keep others from undoing the TPM's count of wrong tries.",
        discussion: """
            A TPM comes with no authorisation for its lockout: any program that may use it can undo the count of wrong passcodes and go on guessing. This gives it one, 32 letters and digits (160 bits), \
            which are printed once, on standard output, before they count; and it lets the TPM count as usual: 32 tries, one given back every 10 minutes. It counts for the \
            whole TPM, for all other programs too. Without the code only the firmware's own menu can clear the TPM. \
            --reset undoes the count of wrong tries, with that code; where there is none, without. A wrong code ends that way for a day.

            EXAMPLES:
              (umask 077; zamok device lockout > lockout) && lpr lockout
              zamok device lockout --reset
              zamok device lockout --reset --code-file lockout
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Undo the TPM's count of wrong tries.")
    var reset = false

    @Option(
        help: ArgumentHelp("A file with the code, by the same rules as --passcode-file.", valueName: "path"),
        completion: .file())
    var codeFile: String?

    func validate() throws {
        if codeFile != nil, !reset { throw ValidationError("--code-file goes with --reset") }
    }

    func run() throws {
        let home = try DeviceCommand.home(global)
        guard reset else { return try guardIt(home) }
        let isGuarded = try home.lockout()?.isGuarded == true
        let code = isGuarded ? try DeviceCommand.code(codeFile, prompt: "Code of the TPM's lockout: ") : nil
        // The TPM would count a wrong code as a try, and block further tries for a day.
        if let code, (try? home.confirmRecoveryCode(code)) != nil {
            throw CommandFailure.usage(
                "that is the recovery code of this home; the TPM's lockout has a code of its own, and was not asked")
        }
        try home.resetLockout(with: code)
        try Channel.error.line("The TPM has forgotten the wrong tries.")
    }

    private func guardIt(_ home: Home) throws {
        try home.checkLockoutIsFree()
        let code = try RecoveryCode.random()
        // Printed first, so that the TPM never has a code that the user did not see.
        try Channel.output.line(try code.exposingText)
        do { try home.guardLockout(with: code) } catch {
            // The response of the TPM may be lost.
            let isGuarded = (try? home.lockout())?.isGuarded
            try Channel.error.line(
                isGuarded == false ? "The code above does not count." : "The code above may count: keep it.")
            throw error
        }
        try Channel.error.line("Write the code down now; it is not shown again. The TPM counts: \(try text(home))")
    }

    private func text(_ home: Home) throws -> String {
        try home.lockout().map { StatusPrinter.text($0) } ?? "nothing"
    }
}
