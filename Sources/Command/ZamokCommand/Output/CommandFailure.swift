// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Keychains
import ProtectedFiles
import ProvisioningProfiles
import SecretMemory
import UserPreferences

/// Why the command ends otherwise than with 0: one line for a person, one number for a script.
struct CommandFailure: Error {
    /// The exit status.
    let exitStatus: Int32
    /// What happened and what to do next; nil says nothing, because it was said already.
    let message: String?

    /// Wrong usage: 64.
    static func usage(_ message: String) -> CommandFailure { CommandFailure(exitStatus: 64, message: message) }

    /// What an error from below means here; nil when it isn't one of ours.
    init?(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as ProtectedFileError: self.init(error)
        case let error as DataProtectionError where error.code == .noHome: self = .status(-25_300, error.message)
        case let error as KeychainError: self = .status(error.code.rawValue, error.message)
        case is DataProtectionError, is SecretMemoryError: self.init(KeychainError(error))
        case let error as ProfileError: self.init(exitStatus: 2, message: error.message.printable)
        default:
            guard let known = Self.ofUsers(error) else { return nil }
            self = known
        }
    }

    init(exitStatus: Int32, message: String?) {
        self.exitStatus = exitStatus
        self.message = message
    }

    /// A status of Apple's.
    static func status(_ status: Int32, _ message: String) -> CommandFailure {
        CommandFailure(exitStatus: exitStatus(of: status), message: message)
    }

    /// Nothing matches.
    static var notFound: CommandFailure { .status(-25_300, "there is no such item") }

    /// Output could not be written.
    static func unwritten(_ code: Int32) -> CommandFailure {
        .status(code == SystemCode.diskFull ? -34 : -36, "the output could not be written: \(SystemCode.text(code))")
    }

    /// Something was left out, which was told.
    static var inPart: CommandFailure { silent(exitStatus(of: -50)) }

    /// Ends with this status and says nothing more.
    static func silent(_ exitStatus: Int32) -> CommandFailure {
        CommandFailure(exitStatus: exitStatus, message: nil)
    }

    /// The low byte of an OSStatus, and 1 where that is 0: as macOS's `security` command does.
    static func exitStatus(of status: Int32) -> Int32 {
        let low = Int32(UInt8(truncatingIfNeeded: status))
        return low == 0 ? 1 : low
    }
}

extension CommandFailure {
    /// What an error of protected files means here.
    init(_ error: ProtectedFileError) {
        if [.home, .stopped].contains(error.code), let cause = error.cause, let known = CommandFailure(cause) {
            self = known
        } else if let owner = error.owner, let name = Session.name(ofHome: owner) {
            self = .status(Self.statuses[error.code] ?? -50, Self.text(error, name))
        } else {
            self = .status(Self.statuses[error.code] ?? -50, error.message)
        }
    }

    /// A copy was asked for, of a file that has nothing to be protected.
    static func protectedAlready(_ file: FoundFile) -> CommandFailure {
        .status(-25_299, "\(file.location) is protected already, and not copied; cp copies it as it is")
    }

    /// Whose file it is, where this home knows the user.
    private static func text(_ error: ProtectedFileError, _ name: String) -> String {
        let whose = name == Session.nobody ? "this home itself and no user" : "the user \(name.printable)"
        return "\(error.message). It is of \(whose): use it with --user \(name.printable)"
    }

    /// errSecNoSuchKeychain of a file of another home: what it needs is not here.
    private static let statuses: [ProtectedFileError.Code: Int32] = [
        .locked: -25_308, .keyDestroyed: -25_316, .damaged: -26_275, .replaced: -26_275, .folderRecord: -26_275,
        .foreign: -25_294, .newerFormat: -25_257,
        .notFound: -25_300, .missing: -25_300, .exists: -25_299, .unsupported: -4, .busy: -47, .tooLarge: -25_302,
        .diskFull: -34, .readOnly: -61, .notPermitted: -61, .io: -36, .changed: -36, .forked: -25_291,
        .homesOwn: -61,
    ]
}

extension CommandFailure {
    /// Users and preferences use the numbers of the keychain.
    static func ofUsers(_ error: any Error) -> CommandFailure? {
        switch error {
        case let error as PreferencesError: of(error)
        case let error as AppUsersError: of(error)
        default: nil
        }
    }

    private static func of(_ error: PreferencesError) -> CommandFailure {
        let message = error.message.printable + (error.key.map { " (\($0.printable))" } ?? "")
        switch error.code {
        case .invalidArgument, .wrongType: return usage(message)
        case .notReady: return status(-25_308, message)
        case .corrupt, .damaged, .wrongKey: return status(-26_275, message)
        case .keyDestroyed: return status(-25_316, message)
        case .tooLarge: return status(-25_302, message)
        case .diskFull: return status(-34, message)
        case .fileExists: return status(-25_299, message)
        case .cancelled: return status(-128, message)
        default: return below(error.cause, message) ?? status(-36, message)
        }
    }

    private static func of(_ error: AppUsersError) -> CommandFailure {
        let message = error.message.printable
        switch error.code {
        case .noSuchUser: return status(-25_300, message)
        case .nameTaken: return status(-25_299, message)
        case .invalidArgument: return usage(message)
        case .damaged: return status(-26_275, message)
        case .newerFormat: return status(-25_295, message)
        case .cancelled: return status(-128, message)
        default: return below(error.cause, message) ?? status(-25_291, message)
        }
    }

    /// By the error underneath; nil if there is none that says more.
    private static func below(_ cause: (any Error)?, _ message: String) -> CommandFailure? {
        guard let cause, let known = CommandFailure(cause) else { return nil }
        return CommandFailure(exitStatus: known.exitStatus, message: message)
    }
}
