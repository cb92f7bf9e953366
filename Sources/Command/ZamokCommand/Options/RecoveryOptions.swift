// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection

/// The recovery code in place of the chip.
struct RecoveryOptions: ParsableArguments {
    @Flag(help: "Open the home with the recovery code instead of the chip.")
    var recovery = false

    @Option(
        help: ArgumentHelp("A file with the recovery code, by the same rules as --passcode-file.", valueName: "path"),
        completion: .file())
    var codeFile: String?

    func validate() throws {
        if codeFile != nil, !recovery { throw ValidationError("--code-file goes with --recovery") }
    }

    /// Opens the home with the code, for this process, where that is asked for.
    func recover() throws {
        if recovery { try Home.recover(ChosenHome.configuration(), try DeviceCommand.code(codeFile)) }
    }
}
