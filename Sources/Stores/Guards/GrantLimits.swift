// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Readers
import Sealing
import SecretMemory

/// How long and how often a grant counts, and whether a person is asked about each use
/// (Documentation/Formats/GuardMessages.md, "Limits").
package struct GrantLimits: Hashable, Sendable {
    /// The most uses of a run in a time.
    package struct Rate: Hashable, Sendable, CustomStringConvertible {
        /// 1 to 10,000.
        package let count: UInt32
        /// The length of the time; 0: the run.
        package let seconds: UInt32

        private static let units: [(word: String, seconds: UInt32)] = [
            ("run", 0), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
        ]

        /// Nil for other numbers, and for a length that has no word.
        package init?(count: UInt32, seconds: UInt32) {
            guard (1...10_000).contains(count), Self.units.contains(where: { $0.seconds == seconds }) else {
                return nil
            }
            (self.count, self.seconds) = (count, seconds)
        }

        /// `100/h`: the number of uses, and `s`, `m`, `h`, `d` or `run`. Nil for anything else.
        package init?(word: String) {
            let parts = word.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let unit = Self.units.first(where: { $0.word == parts[1] }),
                parts[0].utf8.allSatisfy({ (48...57).contains($0) }), let count = UInt32(parts[0])
            else { return nil }
            self.init(count: count, seconds: unit.seconds)
        }

        package var description: String {
            "\(count)/\(Self.units.first { $0.seconds == seconds }?.word ?? "")"
        }
    }

    /// Whether a person is asked about each use.
    package let asks: Bool
    /// When it ends, in seconds since 1970 by the machine's clock; nil: never.
    package let end: Int64?
    /// Nil: any number of uses.
    package let rate: Rate?

    /// None.
    package static let none = Self()

    package init(asks: Bool = false, end: Int64? = nil, rate: Rate? = nil) {
        (self.asks, self.end, self.rate) = (asks, end, rate)
    }

    /// Whether it has ended, at a time in seconds since 1970; nil: now.
    package func isOver(at now: Int64? = nil) -> Bool {
        guard let end else { return false }
        return end <= now ?? ThisProcess.wallTime / 1_000_000_000
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(UInt8(asks ? 1 : 0))
        writer.integer(UInt8(end == nil ? 0 : 1))
        if let end { writer.integer(UInt64(bitPattern: end)) }
        writer.integer(UInt8(rate == nil ? 0 : 1))
        if let rate {
            writer.integer(rate.count)
            writer.integer(rate.seconds)
        }
    }

    /// Errors: `SealingError.malformed`.
    init(from reader: inout ByteReader) throws {
        asks = try reader.flag()
        end = try reader.flag() ? Int64(bitPattern: try reader.integer(UInt64.self)) : nil
        guard try reader.flag() else {
            rate = nil
            return
        }
        let (count, seconds) = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
        guard let rate = Rate(count: count, seconds: seconds) else { throw SealingError.malformed }
        self.rate = rate
    }
}

/// What a person is asked about a use of a grant. All texts but the action are a guest's choice, or an item's.
package struct GrantWish: Sendable {
    /// A word: `use`, `read`, `change`.
    package let action: String
    /// The item's name.
    package let item: String
    /// Where it is used; empty: nothing more is known.
    package let detail: String
    /// Whether a call of the broker waits for the answer.
    package let isCall: Bool

    package init(_ action: String, _ item: String, _ detail: String = "", isCall: Bool) {
        (self.action, self.item, self.detail, self.isCall) = (action, item, detail, isCall)
    }
}

/// What a person answers.
package enum GrantAnswer: Sendable {
    /// This use alone.
    case once
    /// All such uses of the run.
    case run
    case no
    /// There is nowhere to ask, no answer in time, or too many prompts.
    case none
}

/// Asks a person, outside the boundary.
package protocol GrantPrompter: Sendable {
    func permits(_ wish: GrantWish) -> GrantAnswer
}

/// What a run has used of its grants, and what a person has permitted for all of it. For any thread.
final class RunUses: Sendable {
    private let state = Locked(State())

    private struct State {
        /// Of each grant, when it was used: as many as its rate has at most.
        var times: [String: [ContinuousClock.Instant]] = [:]
        var permitted: Set<String> = []
    }

    /// Counts a use of the grant with this key. False: it was used as often as it may be.
    func take(_ key: String, _ rate: GrantLimits.Rate?, _ now: ContinuousClock.Instant = .now) -> Bool {
        guard let rate else { return true }
        return state.withLock { state in
            var times = state.times[key] ?? []
            if rate.seconds > 0 { times.removeAll { now - $0 >= .seconds(Int(rate.seconds)) } }
            defer { state.times[key] = times }
            guard times.count < rate.count else { return false }
            times.append(now)
            return true
        }
    }

    func isPermitted(_ key: String) -> Bool { state.withLock { $0.permitted.contains(key) } }

    func permit(_ key: String) { state.withLock { _ = $0.permitted.insert(key) } }
}
