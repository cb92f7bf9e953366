// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import ProtectedFiles
import UserPreferences

/// Why something with users did not happen. Equal when the codes are.
public struct AppUsersError: Error, Equatable, CustomStringConvertible {
    /// What went wrong; more may be added.
    public struct Code: Hashable, Sendable {
        enum Value: Sendable {
            case noSuchUser, nameTaken, invalidArgument, tooMany, busy, damaged, newerFormat, home, store, cancelled
            case filesElsewhere
        }
        let value: Value

        /// There is no user of that name or identifier, or the user was removed.
        public static let noSuchUser = Code(value: .noSuchUser)
        /// Another user has that name.
        public static let nameTaken = Code(value: .nameTaken)
        /// A name is empty, too long, has control characters or looks like an identifier; or a file is no backup of a user.
        public static let invalidArgument = Code(value: .invalidArgument)
        /// There are 10,000 users already.
        public static let tooMany = Code(value: .tooMany)
        /// Another switch of this directory is under way in this process.
        public static let busy = Code(value: .busy)
        /// The directory is damaged; nothing was changed.
        public static let damaged = Code(value: .damaged)
        /// Written by a newer version; nothing was changed.
        public static let newerFormat = Code(value: .newerFormat)
        /// A home could not be used; `cause` is the `DataProtectionError`.
        public static let home = Code(value: .home)
        /// A keychain, preferences, files or a backup could not be read or written; `cause` is that module's error.
        public static let store = Code(value: .store)
        /// Cancelled before the switch took place.
        public static let cancelled = Code(value: .cancelled)
        /// Files outside of the user's home would be unreadable without the user; nobody was removed.
        public static let filesElsewhere = Code(value: .filesElsewhere)
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do next; never a name.
    public let message: String
    /// The error underneath.
    public let cause: (any Error)?
    /// Where it was noticed, `file:line`.
    public let location: String

    init(_ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.message = message
        self.cause = cause
        location = "\(file):\(line)"
    }

    init(translating error: any Error) {
        switch error {
        case let error as AppUsersError: self = error
        case let error as DataProtectionError where error.code == .newerFormat:
            self.init(.newerFormat, error.message, cause: error)
        case let error as DataProtectionError: self.init(.home, error.message, cause: error)
        case is CancellationError: self.init(.cancelled, "cancelled; nothing was changed")
        case let error as KeychainError where error.code == .userCancelled:
            self.init(.cancelled, "cancelled; nothing was changed", cause: error)
        case let error as KeychainError:
            // What another store threw inside a call of the keychain's.
            switch error.cause {
            case let cause as PreferencesError: self.init(.store, cause.message, cause: cause)
            case let cause as ProtectedFileError: self.init(.store, cause.message, cause: cause)
            default: self.init(.store, error.message, cause: error)
            }
        case let error as PreferencesError: self.init(.store, error.message, cause: error)
        case let error as ProtectedFileError: self.init(.store, error.message, cause: error)
        case let error as UserListDamaged:
            self.init(.damaged, "the list of users is damaged; nothing was changed; see: zamok doctor", cause: error)
        default: self.init(.damaged, "what is stored of the users does not open; nothing was changed", cause: error)
        }
    }

    /// Equal when the codes are.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}
