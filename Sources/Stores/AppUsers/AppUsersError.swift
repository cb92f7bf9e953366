// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import KeychainEngine
import ProtectedFiles
import Readers
import Sealing
package import Statuses
import UserPreferences

/// Why an operation on users failed. Two errors are equal when their codes are.
public struct AppUsersError: Error, Equatable, CustomStringConvertible {
    /// What went wrong. Later versions may add codes.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case noSuchUser, nameTaken, invalidArgument, tooMany, busy, damaged, newerFormat, home, store, cancelled
            case filesElsewhere, internalFailure
        }
        let value: Value

        /// There is no user of that name or identifier, or the user was removed.
        public static let noSuchUser = Code(value: .noSuchUser)
        /// Another user has that name.
        public static let nameTaken = Code(value: .nameTaken)
        /// A name is empty, too long, has control characters or looks like an identifier. Or a file is not a backup of
        /// a user.
        public static let invalidArgument = Code(value: .invalidArgument)
        /// There are 10,000 users already.
        public static let tooMany = Code(value: .tooMany)
        /// Another switch of this directory is under way in this process.
        public static let busy = Code(value: .busy)
        /// The user directory is damaged; nothing was changed.
        public static let damaged = Code(value: .damaged)
        /// Written by a newer version; nothing was changed.
        public static let newerFormat = Code(value: .newerFormat)
        /// A home could not be used; `cause` is the `DataProtectionError`.
        public static let home = Code(value: .home)
        /// A keychain, preferences, files or a backup could not be read or written; `cause` is that module's error.
        public static let store = Code(value: .store)
        /// Cancelled before the switch took place.
        public static let cancelled = Code(value: .cancelled)
        /// Removing the user would make files outside the user's home unreadable; no user was removed.
        public static let filesElsewhere = Code(value: .filesElsewhere)
        /// An unexpected error, which is in `cause`.
        public static let internalFailure = Code(value: .internalFailure)
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do next; never a name.
    public let message: String
    /// The underlying error.
    public let cause: (any Error)?
    /// Where the error was created, `file:line`.
    public let location: String

    init(_ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.message = message
        self.cause = cause
        location = "\(file):\(line)"
    }

    /// The matching OSStatus of Apple's `SecItem` functions. The command `zamok` exits with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Two errors are equal when their codes are.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}

extension AppUsersError: BorderError {
    /// Maps an error of a home, a store or a user's file.
    package init(
        _ error: any Error, about subject: String? = nil, file: String = #fileID, line: Int = #line
    ) {
        if let error = error as? AppUsersError {
            self = error
        } else {
            // A keychain call may wrap the error of another store.
            let cause = (error as? KeychainError)?.cause
            let known = cause is PreferencesError || cause is ProtectedFileError ? cause ?? error : error
            let error = known is Files.FileError ? DataProtectionError(known, about: subject) : known
            let (code, message) = Self.meaning(of: error)
            self.init(code, message, cause: error, file: file, line: line)
        }
    }

    private static func meaning(of error: any Error) -> (Code, String) {
        switch error {
        case is CancellationError: (.cancelled, "cancelled; nothing was changed")
        case let error as any StatusError where error.asStatus == .invalidKeychain: (.newerFormat, error.message)
        case let error as KeychainError where error.code == .userCancelled:
            (.cancelled, "cancelled; nothing was changed")
        case let error as DataProtectionError: (.home, error.message)
        case let error as any StatusError: (.store, error.message)
        case is UserListDamaged: (.damaged, "the list of users is damaged; nothing was changed; see: zamok doctor")
        case is SealingError, is ReadingError:
            (.damaged, "what is stored of the users does not open; nothing was changed")
        default: (.internalFailure, "\(error)")
        }
    }
}

extension AppUsersError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .noSuchUser: .itemNotFound
        case .nameTaken: .duplicateItem
        case .invalidArgument, .filesElsewhere: .parameter
        case .tooMany: .dataTooLarge
        case .busy: .busy
        case .damaged: .damaged
        case .newerFormat: .invalidKeychain
        case .home, .store: nil
        case .cancelled: .userCancelled
        case .internalFailure: .internalComponent
        }
    }
}
