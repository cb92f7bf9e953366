// SPDX-License-Identifier: Apache-2.0

import Statuses

/// Why preferences could not be read or written. Two errors are equal when their codes are.
public struct PreferencesError: Error, Equatable, CustomStringConvertible {
    /// What went wrong; more may be added.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case notReady, corrupt, wrongKey, keyDestroyed, wrongType, invalidArgument, tooLarge
            case restoredCopy, newerFormat, damaged, unsafeHome, diskFull, readOnly, io, notAvailable, forked, cancelled
            case fileExists, unknownFormat, home, internalFailure
        }
        let value: Value

        /// The home was not unlocked since the start: nothing can be said about any key, and nothing is written.
        public static let notReady = Code(value: .notReady)
        /// The row of this key does not open; the others do. `key` names it.
        public static let corrupt = Code(value: .corrupt)
        /// The store belongs to another keybag or device secret.
        public static let wrongKey = Code(value: .wrongKey)
        /// The class key of the store was destroyed: its content is unreadable for good.
        public static let keyDestroyed = Code(value: .keyDestroyed)
        /// The value has another type than the key. `key` names it.
        public static let wrongType = Code(value: .wrongType)
        /// A name is empty or too long, or a value is not a property list.
        public static let invalidArgument = Code(value: .invalidArgument)
        /// A preference has more than 16 MiB, 64 levels or a million values.
        public static let tooLarge = Code(value: .tooLarge)
        /// The keybag is older than the store: a copy was put back.
        public static let restoredCopy = Code(value: .restoredCopy)
        /// Written by a newer version; nothing was changed.
        public static let newerFormat = Code(value: .newerFormat)
        /// The file as a whole is damaged.
        public static let damaged = Code(value: .damaged)
        /// The owner, mode or kind of a file of the home is not as it must be.
        public static let unsafeHome = Code(value: .unsafeHome)
        /// The disk is full; what was there before is intact.
        public static let diskFull = Code(value: .diskFull)
        /// The folder can't be written to.
        public static let readOnly = Code(value: .readOnly)
        /// The system reported another error.
        public static let io = Code(value: .io)
        /// The system can't do it here.
        public static let notAvailable = Code(value: .notAvailable)
        /// Used in a child process after fork.
        public static let forked = Code(value: .forked)
        /// The calling task was cancelled.
        public static let cancelled = Code(value: .cancelled)
        /// A file to be written exists already.
        public static let fileExists = Code(value: .fileExists)
        /// A file to be imported is neither a property list nor a keyed archive, or breaks off.
        public static let unknownFormat = Code(value: .unknownFormat)
        /// The home refused; `cause` is the `DataProtectionError`.
        public static let home = Code(value: .home)
        /// What nobody foresaw; `cause` is the error.
        public static let internalFailure = Code(value: .internalFailure)
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do next; never a value.
    public let message: String
    /// The key, if the error is about one.
    public let key: String?
    /// The error underneath.
    public let cause: (any Error)?
    /// Where it was noticed, `file:line`.
    public let location: String

    package init(
        _ code: Code, _ message: String, key: String? = nil, cause: (any Error)? = nil, file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.key = key
        self.cause = cause
        self.location = "\(file):\(line)"
    }

    /// Apple's OSStatus for it, as the functions of `SecItem` answer; the command `zamok` ends with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Equal when the codes are.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}
