// SPDX-License-Identifier: Apache-2.0

import Statuses

/// Why a home, its keybag or its keys could not be used. Two errors are equal if their codes are.
public struct DataProtectionError: Error, Equatable, CustomStringConvertible {
    /// What went wrong. More codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case locked, wrongPasscode, tooManyAttempts, noPasscode, passcodeExists, damaged, keyDestroyed
            case missingDeviceSecret, erased, restoredCopy, newerFormat, unsafeHome, invalidArgument
            case notAvailable, notLocked, forked, cancelled, noTerminal, interactionNotAllowed, invalidContext
            case diskFull, readOnly, io, outOfMemory, noHome, internalFailure
            case tpmUnreachable, tpmTimedOut, tpmFailed, otherTPM, tpmCleared, otherMeasurements
            case tpmLockedOut
            case rolledBack, counterGone, counterReplaced
        }
        let value: Value

        /// The class key is not available now: unlock first.
        public static let locked = Code(value: .locked)
        /// The passcode is wrong. The attempt limiter counted the attempt.
        public static let wrongPasscode = Code(value: .wrongPasscode)
        /// After too many wrong passcodes, the attempt limiter's delay is not over. The message says how long it is.
        public static let tooManyAttempts = Code(value: .tooManyAttempts)
        /// The operation needs a passcode, and none is set.
        public static let noPasscode = Code(value: .noPasscode)
        /// A passcode is already set: change it instead.
        public static let passcodeExists = Code(value: .passcodeExists)
        /// A file does not have the content that was written, or belongs to another device secret.
        public static let damaged = Code(value: .damaged)
        /// The class key that this was wrapped under no longer exists.
        public static let keyDestroyed = Code(value: .keyDestroyed)
        /// The device secret of an existing keybag is missing or short.
        public static let missingDeviceSecret = Code(value: .missingDeviceSecret)
        /// The epoch was zeroed: everything in this home is permanently unreadable.
        public static let erased = Code(value: .erased)
        /// The keybag is older than its databases: a restored copy.
        public static let restoredCopy = Code(value: .restoredCopy)
        /// Written by a newer version. Nothing was changed.
        public static let newerFormat = Code(value: .newerFormat)
        /// A folder or file belongs to another owner, is writable by others, is a symbolic link, or is on a network
        /// file system.
        public static let unsafeHome = Code(value: .unsafeHome)
        /// An argument breaks a rule; for example, the passcode is empty.
        public static let invalidArgument = Code(value: .invalidArgument)
        /// The system doesn't support this here.
        public static let notAvailable = Code(value: .notAvailable)
        /// A lock did not reach everything: a part of the keys may be left. The message says which.
        public static let notLocked = Code(value: .notLocked)
        /// Used in a child process after fork.
        public static let forked = Code(value: .forked)
        /// The user cancelled the prompt.
        public static let cancelled = Code(value: .cancelled)
        /// A prompt is needed, and there is no terminal.
        public static let noTerminal = Code(value: .noTerminal)
        /// The user must answer a prompt, but prompting is forbidden or impossible here.
        public static let interactionNotAllowed = Code(value: .interactionNotAllowed)
        /// The authentication context was invalidated.
        public static let invalidContext = Code(value: .invalidContext)
        /// The disk is full. The old state is intact.
        public static let diskFull = Code(value: .diskFull)
        /// The home is read-only.
        public static let readOnly = Code(value: .readOnly)
        /// The system reported another input or output error.
        public static let io = Code(value: .io)
        /// The system has not enough memory to stretch a passcode or passphrase. The input was not checked, and the
        /// attempt is not counted.
        public static let outOfMemory = Code(value: .outOfMemory)
        /// There is no home yet, and none was to be made.
        public static let noHome = Code(value: .noHome)
        /// The TPM that holds the device secret can't be reached.
        public static let tpmUnreachable = Code(value: .tpmUnreachable)
        /// The TPM did not answer in time.
        public static let tpmTimedOut = Code(value: .tpmTimedOut)
        /// The TPM refused, or gave an unusable answer. The message says which.
        public static let tpmFailed = Code(value: .tpmFailed)
        /// The TPM is in its dictionary-attack lockout, after wrong passcodes or power cuts. It doesn't check the
        /// passcode until that ends. The attempt limiter counted nothing.
        public static let tpmLockedOut = Code(value: .tpmLockedOut)
        /// The device secret was sealed to another TPM.
        public static let otherTPM = Code(value: .otherTPM)
        /// The TPM was cleared since the device secret was sealed to it.
        public static let tpmCleared = Code(value: .tpmCleared)
        /// The TPM's measurements of this boot differ from those that the device secret is bound to.
        public static let otherMeasurements = Code(value: .otherMeasurements)
        /// The home, or a part of it, was restored to an earlier state: the TPM's counter has increased since.
        public static let rolledBack = Code(value: .rolledBack)
        /// The counter of this home in the TPM no longer exists.
        public static let counterGone = Code(value: .counterGone)
        /// The counter of this home in the TPM was replaced by another one.
        public static let counterReplaced = Code(value: .counterReplaced)
        /// An unforeseen error. `cause` contains it.
        public static let internalFailure = Code(value: .internalFailure)
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do next. Never a secret.
    public let message: String
    /// The underlying error, if any.
    public let cause: (any Error)?
    /// Where the error was detected, as `file:line`.
    public let location: String

    /// Creates an error for a ``Prompter`` to throw: `.cancelled` if the user gave up. The message says what to do, and
    /// never contains a secret.
    public init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.location = "\(file):\(line)"
    }

    /// Apple's OSStatus for the error, as the functions of `SecItem` return it. The command `zamok` exits with its
    /// low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Compares the codes alone.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}

extension DataProtectionError {
    /// A home was needed inside a guard, where there is none.
    package static var insideGuard: DataProtectionError {
        DataProtectionError(
            .notAvailable,
            "this runs inside zamok guard: items of granted access groups are there, and no home; run it outside")
    }
}
