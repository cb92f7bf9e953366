// SPDX-License-Identifier: Apache-2.0

package import Statuses

/// Why sync can't continue, or bytes are invalid. Local data stays unchanged with every code.
public struct SyncLogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Value: String, CaseIterable {
            case malformed, notALog, newerVersion, differentBytes, logRolledBack, fork, endedHere, clone, wrongWords
            case wrongKey, locked, notAMember, unknownSnapshot, tooLarge, clockAhead, gap, unavailable, leftBehind
            case noSuchAccount, notAccepted, unconfirmed, wouldNotCount
        }
        let value: Value
        /// Bytes that break their format.
        public static let malformed = Code(value: .malformed)
        /// There is no genesis, or it is another account's.
        public static let notALog = Code(value: .notALog)
        /// The log is of a newer version than this program knows.
        public static let newerVersion = Code(value: .newerVersion)
        /// The engine has other bytes at a known place.
        public static let differentBytes = Code(value: .differentBytes)
        /// The log is shorter than it was, and can't be repaired from here.
        public static let rolledBack = Code(value: .logRolledBack)
        /// Two members were shown different logs.
        public static let fork = Code(value: .fork)
        /// This device is no longer a member.
        public static let endedHere = Code(value: .endedHere)
        /// Another device writes with this device's key.
        public static let clone = Code(value: .clone)
        /// A handshake message is not the one that was committed to.
        public static let wrongWords = Code(value: .wrongWords)
        /// A key that was sealed to this device doesn't match the log's check.
        public static let wrongKey = Code(value: .wrongKey)
        /// The required class is locked.
        public static let locked = Code(value: .locked)
        /// The number is not that of a member.
        public static let notAMember = Code(value: .notAMember)
        /// The snapshot is not the last one, or doesn't follow from the log.
        public static let unknownSnapshot = Code(value: .unknownSnapshot)
        /// More bytes than an entry may have.
        public static let tooLarge = Code(value: .tooLarge)
        /// A time is too far ahead of this device's clock.
        public static let clockAhead = Code(value: .clockAhead)
        /// An entry is missing before others.
        public static let gap = Code(value: .gap)
        /// The account has moved on: all members settled what this device lacks, and it was removed.
        public static let leftBehind = Code(value: .leftBehind)
        /// The engine has no log of this account.
        public static let noSuchAccount = Code(value: .noSuchAccount)
        /// The ticket or the recovery code doesn't admit a machine to this account.
        public static let notAccepted = Code(value: .notAccepted)
        /// Bytes without a valid signature, which the engine has returned only once: it is asked again.
        package static let unconfirmed = Code(value: .unconfirmed)
        /// Readers would not count the entry, so it was not written.
        public static let wouldNotCount = Code(value: .wouldNotCount)
        /// The system lacks what sync needs.
        public static let unavailable = Code(value: .unavailable)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// What happened, to what, and what to do.
    public let message: String
    /// The underlying error.
    public let cause: (any Error)?
    /// Where the error was created, `file:line`.
    public let location: String

    /// An error with its message.
    public init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        location = "\(file):\(line)"
    }

    /// The matching OSStatus of Apple's `SecItem` functions. The command `zamok-sync` exits with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Code and message.
    public var description: String { "\(code): \(message)" }

    static func unconfirmed(_ place: UInt64) -> SyncLogError {
        SyncLogError(.unconfirmed, "the engine has something at entry \(place) that no member signed")
    }

    /// The user decides which of the two steps applies: `restart` is refused if the others have continued.
    package static func otherBytes(at place: UInt64) -> SyncLogError {
        SyncLogError(
            .differentBytes,
            "the engine has other bytes at entry \(place) than before; your items are kept, and sync has stopped. If the other machines go on: zamok sync leave --here, then join again; if they stopped too: zamok sync restart"
        )
    }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

extension SyncLogError: StatusError {}

extension SyncLogError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .locked: .locked
        case .notAMember, .endedHere, .noSuchAccount: .itemNotFound
        case .notAccepted: .authenticationFailed
        case .wrongWords: .userCancelled
        // Another machine may give back what is missing: a program that waits goes on waiting.
        case .gap: .inputOutput
        case .tooLarge: .dataTooLarge
        case .malformed, .notALog, .newerVersion, .differentBytes, .logRolledBack, .fork, .clone, .wrongKey,
            .unknownSnapshot, .clockAhead, .unavailable, .leftBehind, .unconfirmed, .wouldNotCount:
            .damaged
        }
    }
}
