// SPDX-License-Identifier: Apache-2.0

import Statuses

/// The error of a call that could not read or write preferences. Two errors are equal if their codes are.
public struct PreferencesError: Error, Equatable, CustomStringConvertible {
    /// The kind of error. More may be added.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case notReady, corrupt, wrongKey, keyDestroyed, wrongType, invalidArgument, tooLarge
            case restoredCopy, newerFormat, damaged, unsafeHome, diskFull, readOnly, io, notAvailable, forked, cancelled
            case fileExists, unknownFormat, home, internalFailure
        }
        let value: Value

        /// The home was not unlocked since the start. The state of all keys is unknown, and nothing is written.
        public static let notReady = Code(value: .notReady)
        /// The row of this key doesn't open, but the others do. `key` is its name.
        public static let corrupt = Code(value: .corrupt)
        /// The store belongs to another keybag or device secret.
        public static let wrongKey = Code(value: .wrongKey)
        /// The class key of the store was destroyed. Its content is permanently unreadable.
        public static let keyDestroyed = Code(value: .keyDestroyed)
        /// The stored value has another type than the key. `key` is its name.
        public static let wrongType = Code(value: .wrongType)
        /// A name is empty or too long, or a value is not a property list.
        public static let invalidArgument = Code(value: .invalidArgument)
        /// A preference has more than 16 MiB, 64 levels or a million values.
        public static let tooLarge = Code(value: .tooLarge)
        /// The keybag is older than the store: it was replaced by an older copy.
        public static let restoredCopy = Code(value: .restoredCopy)
        /// A newer version wrote the store. Nothing is changed.
        public static let newerFormat = Code(value: .newerFormat)
        /// The file as a whole is damaged.
        public static let damaged = Code(value: .damaged)
        /// A file of the home has the wrong owner, mode or kind.
        public static let unsafeHome = Code(value: .unsafeHome)
        /// The disk is full. Earlier data is intact.
        public static let diskFull = Code(value: .diskFull)
        /// The folder is not writable.
        public static let readOnly = Code(value: .readOnly)
        /// The system reported another error.
        public static let io = Code(value: .io)
        /// The system doesn't support the operation here.
        public static let notAvailable = Code(value: .notAvailable)
        /// The object was used in a child process after `fork`.
        public static let forked = Code(value: .forked)
        /// The calling task was cancelled.
        public static let cancelled = Code(value: .cancelled)
        /// The file to write already exists.
        public static let fileExists = Code(value: .fileExists)
        /// The file to import is neither a property list nor a keyed archive, or it is cut short.
        public static let unknownFormat = Code(value: .unknownFormat)
        /// The home reported an error; `cause` is that error.
        public static let home = Code(value: .home)
        /// An unexpected error; `cause` is that error.
        public static let internalFailure = Code(value: .internalFailure)
    }

    /// The kind of error.
    public let code: Code
    /// What happened and what to do next. Never contains a value.
    public let message: String
    /// The key, if the error concerns one.
    public let key: String?
    /// The underlying error.
    public let cause: (any Error)?
    /// Where the error was created, as `file:line`.
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

    /// Apple's `OSStatus` of the error, as the functions of `SecItem` return it. The exit status of the command `zamok`
    /// is its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Whether the codes are equal.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}
