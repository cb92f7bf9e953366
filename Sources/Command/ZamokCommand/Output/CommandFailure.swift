// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Keychains
import ProtectedFiles
import ProvisioningProfiles
import Readers
import SecretMemory
import Statuses
import UserPreferences

/// A failure of the command: one line for the user, one exit status for a script.
struct CommandFailure: Error {
    /// The exit status. `ExitStatus.table` explains each.
    let exitStatus: Int32
    /// What happened and what to do next; nil: it was already reported.
    let message: String?

    /// Wrong usage: 64.
    static func usage(_ message: String) -> CommandFailure {
        CommandFailure(exitStatus: ExitStatus.usage, message: message)
    }

    /// Refuses an empty name, as a variable that is not set makes it, before anything else is looked at.
    static func refuseEmpty(_ name: String?, of what: String) throws {
        guard name != "" else { throw usage("the name of the \(what) is empty; is a variable not set?") }
    }

    /// The failure for an error of the libraries; nil: an unknown error.
    init?(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as ProtectedFileError: self.init(error)
        case let error as ProfileError: self.init(exitStatus: ExitStatus.notRun, message: error.message.printable)
        case let error as any StatusError:
            // Apple's functions answer a read that would ask as they do while locked. A script can tell the two.
            let status = Self.hasNoTerminal(error) ? .interactionRequired : error.asStatus
            let key = (error as? PreferencesError)?.key.map { "\($0.printable): " } ?? ""
            let hint =
                switch status {
                case .locked: KeyringHint.behindLocked
                case .itemNotFound: ChosenHome.switchedHint
                default: ""
                }
            self.init(
                exitStatus: status.exitStatus,
                message: key + error.message.printable + hint)
        default: return nil
        }
    }

    /// Whether a prompt was needed, and there is no terminal.
    private static func hasNoTerminal(_ error: any Error) -> Bool {
        switch error {
        case let error as KeychainError: error.cause.map(hasNoTerminal) ?? false
        case let error as DataProtectionError: error.code == .noTerminal || error.cause.map(hasNoTerminal) ?? false
        default: false
        }
    }

    init(exitStatus: Int32, message: String?) {
        self.exitStatus = exitStatus
        self.message = message
    }

    /// A failure with the exit status of a `Status`.
    static func status(_ status: Status, _ message: String) -> CommandFailure {
        CommandFailure(exitStatus: status.exitStatus, message: message)
    }

    /// No item matches.
    static var notFound: CommandFailure {
        .status(.itemNotFound, "there is no such item\(ChosenHome.switchedHint)")
    }

    /// The output could not be written.
    static func unwritten(_ code: Int32) -> CommandFailure {
        .status(
            code == SystemCode.diskFull ? .diskFull : .inputOutput,
            "the output could not be written: \(SystemCode.text(code))")
    }

    /// Part of the work was done; the rest was already reported.
    static var inPart: CommandFailure { silent(ExitStatus.inPart) }

    /// Ends with this status without a message.
    static func silent(_ exitStatus: Int32) -> CommandFailure {
        CommandFailure(exitStatus: exitStatus, message: nil)
    }
}

extension CommandFailure {
    /// The failure for an error of protected files.
    init(_ error: ProtectedFileError) {
        if [.home, .stopped].contains(error.code), let cause = error.cause, let known = CommandFailure(cause) {
            self = known
        } else if let owner = error.owner, let name = ChosenHome.name(ofHome: owner) {
            self = .status(error.asStatus, Self.text(error, name))
        } else {
            self = .status(error.asStatus, error.message)
        }
    }

    /// A copy was requested of a file that is already protected.
    static func protectedAlready(_ file: FoundFile) -> CommandFailure {
        .status(.duplicateItem, "\(file.location) is protected already, and not copied; cp copies it as it is")
    }

    /// The message with the owner of the file, if this home knows the user.
    private static func text(_ error: ProtectedFileError, _ name: String) -> String {
        let whose = name == ChosenHome.nobody ? "this home itself and no user" : "the user \(name.printable)"
        let word = name.printable.shellWord
        return
            "\(error.message). It is of \(whose): use it with --user\(name.hasPrefix("-") && name != ChosenHome.nobody ? "=" : " ")\(word)"
    }
}
