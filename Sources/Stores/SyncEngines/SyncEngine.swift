// SPDX-License-Identifier: Apache-2.0

public import SyncLog

/// What an engine says to a new entry.
public enum AppendAnswer: Hashable, Sendable {
    /// It stands there, durably.
    case done
    /// Something stands there already.
    case taken
}

/// An entry as the engine has it.
public struct StoredEntry: Hashable, Sendable {
    /// Its place.
    public let place: UInt64
    /// Its bytes; of those above 1 MiB some more than 1 MiB.
    public let bytes: [UInt8]

    /// What stands at a place.
    public init(place: UInt64, bytes: [UInt8]) {
        self.place = place
        self.bytes = bytes
    }
}

/// Keys beside the log.
public enum SideKey: Hashable, Sendable {
    /// The last head statement of a member; replaced.
    case head(UInt32)
    /// A message of a hand-shake; created if absent.
    case join(id: [UInt8], step: UInt8)
    /// A chunk of a snapshot; created if absent.
    case chunk(place: UInt64, stream: UInt8, index: UInt16)
    /// The account that continues this one in a new era; created if absent.
    case era(UInt16)

    /// Whether a second write replaces the first.
    public var isReplaced: Bool {
        if case .head = self { true } else { false }
    }

    /// Below the account's prefix.
    public var path: String {
        switch self {
        case .head(let member): "heads/\(member.digits(8))"
        case .join(let id, let step): "join/\(id.hexadecimal)/\(step)"
        case .chunk(let place, let stream, let index): "snapshots/\(place.digits(16))/\(stream)/\(index)"
        case .era(let number): "eras/\(number)"
        }
    }
}

/// How an account and a place are named, in every engine alike.
public enum EngineName {
    /// 64 lowercase hexadecimal digits.
    public static func account(_ account: Digest32) -> String { account.hexadecimal }
    /// 16 lowercase hexadecimal digits.
    public static func place(_ place: UInt64) -> String { place.digits(16) }
}

/// Keeps entries of accounts, in their places. It is trusted to be there, and with nothing else.
public protocol SyncEngine: Sendable {
    /// Creates the entry at `place` if nothing stands there.
    func append(_ bytes: [UInt8], at place: UInt64, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer
    /// As `append`, with what stands from the place before on: what the engine shows counts, not what it says. After `done` two entries do.
    func appendAndRead(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> (answer: AppendAnswer, shown: [StoredEntry])
    /// Entries from `place` on, ascending, holes left out; at most `limit`, which is 1 or more, and at least one if there is one, two if there are two and
    /// `limit` allows it.
    func read(_ account: Digest32, from place: UInt64, limit: Int) async throws(SyncEngineError) -> [StoredEntry]
    /// How many entries stand from one place through another. Asked in each round, so without reading them; what isn't named as an entry is not counted.
    func count(
        _ account: Digest32, from place: UInt64, through last: UInt64
    ) async throws(SyncEngineError) -> Int
    /// Returns when there may be an entry above `place`, at the latest after `patience`. Whether there may be one.
    func wait(_ account: Digest32, after place: UInt64, patience: Duration) async throws(SyncEngineError) -> Bool
    /// Writes beside the log.
    func put(_ bytes: [UInt8], at key: SideKey, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer
    /// Reads beside the log.
    func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]?
    /// Removes entries below `place`, and the chunks of snapshots below it: all members have acknowledged what follows from them.
    func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError)
    /// Asked before what the engine lacks is given back to it: whether what there was of the account may be elsewhere, as on a disk that isn't mounted.
    /// - Throws: `unreachable` if so.
    func mustBeInPlace(_ account: Digest32) async throws(SyncEngineError)
}

extension SyncEngine {
    /// An engine may have one place alone.
    public func mustBeInPlace(_ account: Digest32) async throws(SyncEngineError) {}

    /// Reads them, for an engine that has no list.
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

    /// Two requests, for an engine that can't do both in one.
    public func appendAndRead(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> (answer: AppendAnswer, shown: [StoredEntry]) {
        let answer = try await append(bytes, at: place, of: account)
        return (answer, try await read(account, from: place - 1, limit: answer == .done ? 2 : 256))
    }

    /// An engine may keep everything.
    public func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {}
}

/// Why an engine didn't do what it was asked. Local data stays, and what was to be sent is kept.
public struct SyncEngineError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong; more may come.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String { case unreachable, refused, leased, damaged, busy, waiting }
        private let value: Value
        /// No answer; whether it was done isn't known.
        public static let unreachable = Code(value: .unreachable)
        /// The engine doesn't let this device do it.
        public static let refused = Code(value: .refused)
        /// An entry hangs on a lease, and will vanish.
        public static let leased = Code(value: .leased)
        /// Another process works on the same home.
        public static let busy = Code(value: .busy)
        /// Another machine has to do something first.
        public static let waiting = Code(value: .waiting)
        /// An answer that is none.
        public static let damaged = Code(value: .damaged)
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

    /// By code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

extension FixedWidthInteger {
    /// Lowercase hexadecimal digits, so many.
    package func digits(_ count: Int) -> String {
        let text = String(self, radix: 16)
        return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
    }
}

extension [UInt8] {
    /// Two lowercase digits a byte.
    package var hexadecimal: String { map { $0.digits(2) }.joined() }
}
