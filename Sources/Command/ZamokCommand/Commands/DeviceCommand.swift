// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Readers
import SecretMemory
import Statuses
import TPMs

/// `zamok device`
struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Keep the device secret in a TPM, or in a file.",
        discussion: """
            The device secret enters every key of the home. In a file on the home's disk, a thief of that disk needs nothing but the passcode, which can be guessed. \
            In a TPM it stays with the machine: without that TPM the right passcode opens nothing. The TPM is /dev/tpmrm0, or what $ZAMOK_TPM names.

            Each move draws a new device secret and new class keys: copies of the old one open nothing that is stored from then on. The users of an app follow when they \
            are unlocked next, or at once where they have no passcode; zamok status names who is missing.

            EXAMPLES:
              (umask 077; zamok device recovery > code) && lpr code
              zamok device recovery --check
              zamok device tpm
            """,
        subcommands: [DeviceTPM.self, DeviceFile.self, DeviceRecovery.self, DeviceLockout.self]
    )

    /// The root home, whose device secret is shared by its users.
    static func home(_ global: GlobalOptions) throws -> Home {
        try refuseUser(global)
        return try ChosenHome.openRoot(.automatic, global.reading)
    }

    static func refuseUser(_ global: GlobalOptions) throws {
        guard let user = global.user, user != ChosenHome.nobody else { return }
        throw CommandFailure.usage("users share the device secret of the root home; leave --user out")
    }

    /// Moves the device secret, after asking for the passcode if one is set.
    static func move(_ home: Home, to target: DeviceSecretTarget, _ global: GlobalOptions) throws {
        var passcode: Secret?
        if try home.keybag.hasPasscode { passcode = Secret(try Passcodes.current(home, global.reading)) }
        HomeStores.open(home)
        try home.moveDeviceSecret(to: target, passcode: passcode)
        let behind = try home.status().behind.count
        let users = behind == 0 ? "" : " \(behind) users follow when they are unlocked next; see: zamok status"
        let status = try home.status()
        let isCounted = status.deviceSecretTPM == nil || status.counter != nil
        let counter =
            isCounted
            ? "" : " The TPM has no room for a counter, so that an earlier state that is put back isn't told."
        try Channel.error.line("The device secret is now in \(status.deviceSecretPlace.printable).\(counter)\(users)")
    }

    /// The recovery code from a file, or typed at the terminal.
    static func code(_ file: String?, prompt: String = "Recovery code: ") throws -> RecoveryCode {
        let typed: Secret
        if let file {
            typed = Secret(try Passcodes.read(file))
        } else {
            do { typed = try Secret.readLine(prompt: prompt) } catch let error as SecretMemoryError {
                guard error.code == .noTerminal else { throw error }
                throw CommandFailure.status(
                    .interactionRequired, "there is no terminal to ask at; name a file with --code-file")
            }
        }
        return try typed.withSecretBytes { try RecoveryCode(typed: $0) }
    }
}

/// `zamok device tpm`
struct DeviceTPM: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tpm",
        abstract: "Move the device secret into the TPM.",
        discussion: """
            The new secret is sealed to the TPM and read back over a new connection before the file that had the old one is overwritten and removed. \
            It takes a recovery code that was typed back: a broken board is the end of the home otherwise. With --pcrs the TPM gives the secret only after the \
            machine started as it did now; 7 measures secure boot and its keys, which an update of the firmware can change. After that the recovery code opens the home.

            Where the TPM has room it keeps a counter for the home: a whole home of yesterday that is put back is then refused as rolled back, until zamok doctor --accept-restored \
            goes on with it. Given once more, this command makes the counter for a home that is in the TPM already.

            A copy of the old secret, in a backup or on a disk that was replaced, opens what was stored before, as it always did.

            EXAMPLES:
              zamok device tpm
              zamok device tpm --pcrs 7
              ZAMOK_TPM=swtpm:/run/chip.sock zamok device tpm
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Registers of the TPM (0 to 23, bank SHA-256) that have to be as they are now.", valueName: "numbers"))
    var pcrs: String?

    func run() throws {
        let registers = try pcrs.map(Self.registers) ?? .none
        let home = try DeviceCommand.home(global)
        try DeviceCommand.move(home, to: .tpm(registers), global)
    }

    private static func registers(_ text: String) throws -> SealedToTPM.Measurements {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.allSatisfy({ $0 != nil }), let registers = SealedToTPM.Measurements(numbers.compactMap(\.self))
        else { throw CommandFailure.usage("--pcrs takes numbers from 0 to 23, separated by commas") }
        return registers
    }
}

/// `zamok device file`
struct DeviceFile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Move the device secret into a file.",
        discussion: """
            Into the file in the home. A file that $ZAMOK_DEVICE_SECRET names isn't moved, since other homes may use it. With --recovery the recovery code replaces the TPM, where that is broken, \
            was cleared, or measured another start of the machine; zamok device tpm then moves it into the TPM of now.

            EXAMPLES:
              zamok device file
              zamok device file --recovery
              zamok device file --recovery --code-file code
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var recovery: RecoveryOptions

    func run() throws {
        try DeviceCommand.refuseUser(global)
        try recovery.recover { try DeviceCommand.home(global).keybag }
        let home = try DeviceCommand.home(global)
        try DeviceCommand.move(home, to: .file, global)
    }
}

/// `zamok device recovery`
struct DeviceRecovery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery",
        abstract: "Make a recovery code, or check that it was written down.",
        discussion: """
            The code, 32 letters and digits (160 bits), is printed once, on standard output. With it and the disk a home opens whose TPM is gone; where a passcode is set, with \
            the passcode besides. Keep it on paper, away from the machine. It stays good through later moves. --check notes that it was typed back, which zamok device tpm asks for. \
            --replace makes a new one, and asks for the passcode where that is bound to the TPM, so that the code replaces both; together with a copy of the disk from before, the one before stays good until the next zamok device tpm, which draws a new secret.

            EXAMPLES:
              zamok device recovery
              zamok device recovery --check
              zamok device recovery --check --code-file code
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Note that the code was written down: it is typed back.")
    var check = false

    @Flag(help: "Make a new code although there is one.")
    var replace = false

    @Option(
        help: ArgumentHelp("A file with the code, by the same rules as --passcode-file.", valueName: "path"),
        completion: .file())
    var codeFile: String?

    func validate() throws {
        if codeFile != nil, !check { throw ValidationError("--code-file goes with --check") }
        if check, replace { throw ValidationError("--check and --replace exclude each other") }
    }

    func run() throws {
        let home = try DeviceCommand.home(global)
        if check {
            try home.confirmRecoveryCode(try DeviceCommand.code(codeFile))
            return try Channel.error.line("That is the recovery code of this home.")
        }
        guard try replace || home.status().recovery == .none else {
            throw CommandFailure.status(
                .duplicateItem, "there is a recovery code already; to make a new one in its place, add --replace")
        }
        var passcode: Secret?
        let isBound = try home.status().passcodeTPM != nil
        if isBound { passcode = Secret(try Passcodes.current(home, global.reading)) }
        // Printed first: otherwise a code that can't be written would replace the former one.
        var failure: (any Error)?
        do {
            _ = try home.makeRecoveryCode(passcode: passcode) { code in
                do { try Channel.output.line(code.exposingText) } catch {
                    failure = error
                    throw error
                }
            }
        } catch { throw failure ?? error }
        try Channel.error.line(
            "Write the code down now; it is not shown again. Then run: zamok device recovery --check")
        guard replace else { return }
        try Channel.error.line(
            "A user whose passcode is bound to the TPM needs the code from before as well until that user's next unlock; keep it till then."
        )
    }
}
