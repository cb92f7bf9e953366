// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Keychains
import ProtectedFiles
import ProvisioningProfiles
import SecretMemory

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
