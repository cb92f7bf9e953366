// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// The options for a recovery code instead of the TPM.
struct RecoveryOptions: ParsableArguments {
    @Flag(help: "Open the home with the recovery code instead of the TPM.")
    var recovery = false

    @Option(
        help: ArgumentHelp(
            "A file with the recovery code, by the same rules as --passcode-file; given twice: that of now, and that from before.",
            valueName: "path"),
        completion: .file())
    var codeFile: [String] = []

    func validate() throws {
        if !codeFile.isEmpty, !recovery { throw ValidationError("--code-file goes with --recovery") }
    }

    /// Opens the home with the code, for this process, if requested. `keybag`: the keybag whose passcode is
    /// checked next.
    func recover(_ keybag: () throws -> Keybag) throws {
        guard recovery else { return }
        var codes = codeFile.isEmpty ? [try DeviceCommand.code(nil)] : try codeFile.map { try DeviceCommand.code($0) }
        try Home.recover(ChosenHome.configuration(), codes)
        guard codeFile.isEmpty, try keybag().needsFormerRecoveryCode() else { return }
        try Channel.error.line("The passcode is still bound by the recovery code from before.")
        codes.append(try DeviceCommand.code(nil, prompt: "Recovery code from before: "))
        try Home.recover(ChosenHome.configuration(), codes)
    }
}
