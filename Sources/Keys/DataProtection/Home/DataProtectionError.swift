// SPDX-License-Identifier: Apache-2.0

import Statuses

/// Why a home, its keybag or its keys could not be used. Two errors are equal when their codes are.
public struct DataProtectionError: Error, Equatable, CustomStringConvertible {
    /// What went wrong; more may be added.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case locked, wrongPasscode, tooManyAttempts, noPasscode, passcodeExists, damaged, keyDestroyed
            case missingDeviceSecret, erased, restoredCopy, newerFormat, unsafeHome, invalidArgument
            case notAvailable, notLocked, forked, cancelled, noTerminal, interactionNotAllowed, invalidContext
            case diskFull, readOnly, io, outOfMemory, noHome, internalFailure
            case chipAway, chipSilent, chipFailed, otherChip, chipCleared, otherMeasurements
            case chipWaits
            case rolledBack, counterGone, counterReplaced
        }
        let value: Value

        /// The class key is not there now: unlock first.
        public static let locked = Code(value: .locked)
        /// The passcode is wrong. The try was counted by the attempt limiter.
        public static let wrongPasscode = Code(value: .wrongPasscode)
        /// There were too many wrong passcodes, and the attempt limiter's delay is not over; the message says how long it is.
        public static let tooManyAttempts = Code(value: .tooManyAttempts)
        /// The operation needs a passcode and none is set.
        public static let noPasscode = Code(value: .noPasscode)
        /// A passcode is set already: change it instead.
        public static let passcodeExists = Code(value: .passcodeExists)
        /// A file is not what was written, or belongs to another device secret.
        public static let damaged = Code(value: .damaged)
        /// The class key that this was wrapped under does not exist any more.
        public static let keyDestroyed = Code(value: .keyDestroyed)
        /// The device secret is missing or short beside an existing keybag.
        public static let missingDeviceSecret = Code(value: .missingDeviceSecret)
        /// The epoch was zeroed: everything in this home is unreadable for good.
        public static let erased = Code(value: .erased)
        /// The keybag is older than its databases: a restored copy.
        public static let restoredCopy = Code(value: .restoredCopy)
        /// Written by a newer version; nothing was changed.
        public static let newerFormat = Code(value: .newerFormat)
        /// A folder or file belongs to another owner, can be written to by others, is a symbolic link, or lies on a network file system.
        public static let unsafeHome = Code(value: .unsafeHome)
        /// An argument breaks a rule; for example, the passcode is empty.
        public static let invalidArgument = Code(value: .invalidArgument)
        /// The system can't do it here.
        public static let notAvailable = Code(value: .notAvailable)
        /// A lock did not reach everything: a part of the keys may be left; the message says which.
        public static let notLocked = Code(value: .notLocked)
        /// Used in a child process after fork.
        public static let forked = Code(value: .forked)
        /// The person cancelled the prompt.
        public static let cancelled = Code(value: .cancelled)
        /// A prompt is needed and there is no terminal to ask at.
        public static let noTerminal = Code(value: .noTerminal)
        /// A person has to answer, and asking was forbidden or can't be done here.
        public static let interactionNotAllowed = Code(value: .interactionNotAllowed)
        /// The authentication context was invalidated.
        public static let invalidContext = Code(value: .invalidContext)
        /// The disk is full; the old state is intact.
        public static let diskFull = Code(value: .diskFull)
        /// The home can't be written to.
        public static let readOnly = Code(value: .readOnly)
        /// The system reported another error of input or output.
        public static let io = Code(value: .io)
        /// The system gives no memory for stretching a passcode or passphrase. It says nothing about what was typed, and is not counted.
        public static let outOfMemory = Code(value: .outOfMemory)
        /// There is no home yet, and none was to be made.
        public static let noHome = Code(value: .noHome)
        /// The chip (TPM) that has the device secret can't be reached.
        public static let chipAway = Code(value: .chipAway)
        /// The chip did not answer in time.
        public static let chipSilent = Code(value: .chipSilent)
        /// The chip refused, or gave an answer that can't be used; the message says which.
        public static let chipFailed = Code(value: .chipFailed)
        /// The chip waits after wrong passcodes or cuts of power, and says nothing about the passcode until then. The attempt limiter counted nothing.
        public static let chipWaits = Code(value: .chipWaits)
        /// The device secret was sealed to another chip.
        public static let otherChip = Code(value: .otherChip)
        /// The chip was cleared since the device secret was sealed to it.
        public static let chipCleared = Code(value: .chipCleared)
        /// The chip measured another start of the machine than the one that the device secret is bound to.
        public static let otherMeasurements = Code(value: .otherMeasurements)
        /// The home, or a part of it, is an earlier state that was put back: the chip's counter has gone on since.
        public static let rolledBack = Code(value: .rolledBack)
        /// The counter that this home has in the chip is not there any more.
        public static let counterGone = Code(value: .counterGone)
        /// Somebody put another counter in the place of the one that this home has in the chip.
        public static let counterReplaced = Code(value: .counterReplaced)
        /// An error that nobody foresaw; `cause` holds it.
        public static let internalFailure = Code(value: .internalFailure)
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do next; never a secret.
    public let message: String
    /// The error underneath, where there is one.
    public let cause: (any Error)?
    /// Where it was noticed, `file:line`.
    public let location: String

    /// An error for a ``Prompter`` to throw: `.cancelled` when the person gave up. The message says what to do, and never contains a secret.
    public init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.location = "\(file):\(line)"
    }

    /// Apple's OSStatus for it, as the functions of `SecItem` answer; the command `zamok` ends with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// By code alone.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}
