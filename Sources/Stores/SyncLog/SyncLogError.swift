// SPDX-License-Identifier: Apache-2.0

/// Why sync can't go on, or bytes are not what they should be. Local data stays as it is, whatever the code.
public struct SyncLogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong; more may come.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case malformed, notALog, newerVersion, differentBytes, rolledBack, fork, endedHere, clone, wrongWords
            case wrongKey, locked, notAMember, unknownSnapshot, tooLarge, clockAhead, gap, unavailable, leftBehind
            case noSuchAccount, notAccepted, unconfirmed, wouldNotCount
        }
        private let value: Value
        /// Bytes that are not of the form they should have.
        public static let malformed = Code(value: .malformed)
        /// There is no genesis, or it is not that of this account.
        public static let notALog = Code(value: .notALog)
        /// An entry that counts made the log one of a newer version.
        public static let newerVersion = Code(value: .newerVersion)
        /// The engine has other bytes at a place that was known.
        public static let differentBytes = Code(value: .differentBytes)
        /// The log is shorter than it was, and can't be mended from here.
        public static let rolledBack = Code(value: .rolledBack)
        /// Two members were shown different logs.
        public static let fork = Code(value: .fork)
        /// This device is no member any more.
        public static let endedHere = Code(value: .endedHere)
        /// Somebody else writes with this device's key.
        public static let clone = Code(value: .clone)
        /// A message of a hand-shake is not the one that was promised.
        public static let wrongWords = Code(value: .wrongWords)
        /// A key that was sealed to this device is not the one that the log states.
        public static let wrongKey = Code(value: .wrongKey)
        /// The class that this needs is locked.
        public static let locked = Code(value: .locked)
        /// The number is not that of a member.
        public static let notAMember = Code(value: .notAMember)
        /// The snapshot is not the last one, or not what follows from the log.
        public static let unknownSnapshot = Code(value: .unknownSnapshot)
        /// More bytes than an entry may have.
        public static let tooLarge = Code(value: .tooLarge)
        /// A time too far ahead of the clock here.
        public static let clockAhead = Code(value: .clockAhead)
        /// An entry is missing before others.
        public static let gap = Code(value: .gap)
        /// The account went on: what this device lacks was settled by all members, and removed.
        public static let leftBehind = Code(value: .leftBehind)
        /// The engine has no log of this account.
        public static let noSuchAccount = Code(value: .noSuchAccount)
        /// The ticket or the recovery code is not one by which this account lets a machine in.
        public static let notAccepted = Code(value: .notAccepted)
        /// Bytes that no author vouches for, and that the engine was seen to have once: it is asked again.
        package static let unconfirmed = Code(value: .unconfirmed)
        /// What was to be written is not what readers count, so that it was not written.
        public static let wouldNotCount = Code(value: .wouldNotCount)
        /// The system doesn't have what sync needs.
        public static let unavailable = Code(value: .unavailable)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// What happened, to what, and what to do.
    public let message: String

    /// An error with its message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message.
    public var description: String { "\(code): \(message)" }

    static func unconfirmed(_ place: UInt64) -> SyncLogError {
        SyncLogError(.unconfirmed, "the engine has something at entry \(place) that no member signed")
    }

    /// Which of the two steps is the one, a person finds out: `restart` is refused where the others went on.
    package static func otherBytes(at place: UInt64) -> SyncLogError {
        SyncLogError(
            .differentBytes,
            "the engine has other bytes at entry \(place) than before; your items are kept, and sync has stopped. If the other machines go on: zamok sync leave --here, then join again; if they stopped too: zamok sync restart"
        )
    }

    /// By code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
