// SPDX-License-Identifier: Apache-2.0

package import Statuses
public import SyncLog

/// The engine's reply to a new entry.
public enum AppendAnswer: Hashable, Sendable {
    /// The entry is stored durably at its place.
    case done
    /// The place already has an entry.
    case taken
}

/// An entry as the engine stores it.
public struct StoredEntry: Hashable, Sendable {
    /// Its place.
    public let place: UInt64
    /// Its bytes. If there are more than 1 MiB, they may be cut, but not to 1 MiB or less.
    public let bytes: [UInt8]

    /// The entry at a place.
    public init(place: UInt64, bytes: [UInt8]) {
        self.place = place
        self.bytes = bytes
    }
}

/// Keys of values beside the log.
public enum SideKey: Hashable, Sendable {
    /// The last head statement of a member; replaced by each write.
    case head(UInt32)
    /// A message of a handshake; created if absent.
    case join(id: [UInt8], step: UInt8)
    /// A chunk of a snapshot; created if absent.
    case chunk(place: UInt64, stream: UInt8, index: UInt16)
    /// The account that continues this one in a new era; created if absent.
    case era(UInt16)

    /// Whether a second write replaces the first.
    public var isReplaced: Bool {
        if case .head = self { true } else { false }
    }

    /// The path below the account's prefix.
    public var path: String {
        switch self {
        case .head(let member): "heads/\(member.digits(8))"
        case .join(let id, let step): "join/\(id.hexadecimal)/\(step)"
        case .chunk(let place, let stream, let index): "snapshots/\(place.digits(16))/\(stream)/\(index)"
        case .era(let number): "eras/\(number)"
        }
    }
}

/// The names of accounts and places, the same in every engine.
public enum EngineName {
    /// 64 lowercase hexadecimal digits.
    public static func account(_ account: Digest32) -> String { account.hexadecimal }
    /// 16 lowercase hexadecimal digits.
    public static func place(_ place: UInt64) -> String { place.digits(16) }
}

/// Stores entries of accounts at their places. It is trusted for availability only.
public protocol SyncEngine: Sendable {
    /// Creates the entry at `place` if that is empty.
    func append(_ bytes: [UInt8], at place: UInt64, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer
    /// Appends and returns the entries from the place before on. What the engine shows counts, not its reply. After
    /// `done` the result has two entries.
    func appendAndRead(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> (answer: AppendAnswer, shown: [StoredEntry])
    /// Entries from `place` on, ascending, without holes. Returns up to `limit` entries; `limit` is 1 or more.
    /// If there is an entry, the result has at least one. If there are two and `limit` allows it, the result has at
    /// least two.
    func read(_ account: Digest32, from place: UInt64, limit: Int) async throws(SyncEngineError) -> [StoredEntry]
    /// The number of entries from one place through another. Called in each round, so without reading them. Objects not
    /// named as an entry are not counted.
    func count(
        _ account: Digest32, from place: UInt64, through last: UInt64
    ) async throws(SyncEngineError) -> Int
    /// Returns when there may be an entry above `place`, after `patience` at the latest. The result is whether there
    /// may be one.
    func wait(_ account: Digest32, after place: UInt64, patience: Duration) async throws(SyncEngineError) -> Bool
    /// Writes a value beside the log.
    func put(_ bytes: [UInt8], at key: SideKey, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer
    /// Reads a value beside the log.
    func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]?
    /// Removes entries and snapshot chunks below `place`. All members have acknowledged what follows from them.
    func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError)
    /// Checks whether the account's data may be elsewhere, as on a disk that isn't mounted. Called before missing
    /// entries are returned to the engine.
    /// - Throws: `unreachable` if the data may be elsewhere.
    func mustBeInPlace(_ account: Digest32) async throws(SyncEngineError)
}

extension SyncEngine {
    /// For an engine that has only one location.
    public func mustBeInPlace(_ account: Digest32) async throws(SyncEngineError) {}

    /// Reads the entries, for an engine that has no listing.
    public func count(
        _ account: Digest32, from place: UInt64, through last: UInt64
    ) async throws(SyncEngineError) -> Int {
        var (next, count) = (place, 0)
        while next <= last {
            let found = try await read(account, from: next, limit: 256)
            count += found.count { $0.place <= last }
            guard let end = found.last?.place, end >= next else { break }
            next = end + 1
        }
        return count
    }

    /// Makes two requests, for an engine that can't do both in one.
    public func appendAndRead(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> (answer: AppendAnswer, shown: [StoredEntry]) {
        let answer = try await append(bytes, at: place, of: account)
        return (answer, try await read(account, from: place - 1, limit: answer == .done ? 2 : 256))
    }

    /// For an engine that keeps everything.
    public func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {}
}

/// Why an engine didn't do a request. Local data is unchanged, and unsent data is kept.
public struct SyncEngineError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong. More codes may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Value: String, CaseIterable { case unreachable, refused, leased, damaged, busy, waiting }
        let value: Value
        /// No reply; it is unknown whether the request was done.
        public static let unreachable = Code(value: .unreachable)
        /// The engine doesn't let this device do it.
        public static let refused = Code(value: .refused)
        /// An entry is attached to a lease and will vanish.
        public static let leased = Code(value: .leased)
        /// Another process works on the same home.
        public static let busy = Code(value: .busy)
        /// Another machine must do something first.
        public static let waiting = Code(value: .waiting)
        /// A reply that is malformed.
        public static let damaged = Code(value: .damaged)
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

    /// By code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

extension SyncEngineError: StatusError {}

extension SyncEngineError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .unreachable, .leased: .inputOutput
        case .refused: .noWritePermission
        case .damaged: .damaged
        case .busy, .waiting: .busy
        }
    }
}

extension FixedWidthInteger {
    /// Lowercase hexadecimal digits, at least `count` of them.
    package func digits(_ count: Int) -> String {
        let text = String(self, radix: 16)
        return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
    }
}

extension [UInt8] {
    /// Two lowercase hexadecimal digits per byte.
    package var hexadecimal: String { map { $0.digits(2) }.joined() }
}
