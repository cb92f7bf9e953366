// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import Sealing
import SecretMemory
import SyncLog
import SyncMerge

/// What a home stores of an account apart from the entries (Documentation/Formats/SyncItem.md, "What a home keeps").
struct SyncState: Sendable {
    private static let version: UInt8 = 1

    var account: Digest32
    /// The URL of the log's engine, as the user gave it.
    var engine: String
    /// This device's name, which the other machines show.
    var name: String
    /// This device's public keys, the current ones last. Those that `rekey` ended come before, and open what was sealed
    /// to them.
    var records: [[UInt8]]
    /// The highest sequence that this home wrote.
    var written: UInt64 = 0
    /// The place up to which entries are stored.
    var place: UInt64 = 0
    /// The place of the first stored entry.
    var first: UInt64 = 1
    /// The numbers of the records that contain the entries.
    var batches: Range<UInt32> = 0..<0
    /// The place of the stored copy; 0 if there is none.
    var base: UInt64 = 0
    /// The number of its records: first the part that needs no key, then by class.
    var baseParts = [UInt32](repeating: 0, count: 4)
    /// The engine was asked to remove the entries below this place.
    var removed: UInt64 = 0
    /// By class: the place of the log up to which the items match it.
    var applied = [UInt64](repeating: 0, count: 3)
    /// By class: the revision of the keychain up to which its changes were sent.
    var collected = [Int64](repeating: 0, count: 3)
    /// Rows whose UUID differs from the one under which their item travels.
    var aliases: [[UInt8]: [UInt8]] = [:]
    /// When the engine last responded to this home, in ms since 1970.
    var heard: UInt64 = 0

    /// Checked before an account is founded or joined: a home must be able to read its stored state, and the other
    /// machines must get the whole name.
    /// - Throws: `.parameter`.
    static func mustBeReadable(engine: String, name: String) throws {
        guard 1...DeviceName.longest ~= name.utf8.count, !name.utf8.contains(0) else {
            throw KeychainError(
                .parameter, "a machine's name has 1 to \(DeviceName.longest) bytes, and no zero byte; nothing was done")
        }
        let state = SyncState(
            account: [UInt8](repeating: 0, count: 32), engine: engine, name: name,
            record: [UInt8](repeating: 0, count: 3712))
        guard (try? SyncState(state.bytes)) != nil else {
            throw KeychainError(.parameter, "the engine's URL is too long, at most 4,096 bytes; nothing was done")
        }
    }

    init(account: Digest32, engine: String, name: String, record: [UInt8]) {
        self.account = account
        self.engine = engine
        self.name = name
        records = [record]
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.integer(Self.version)
        writer.append(account)
        writer.prefixed(Array(engine.utf8))
        writer.prefixed(Array(name.utf8))
        writer.integer(UInt32(records.count))
        for record in records { writer.prefixed(record) }
        for number in [written, place, first, base, removed, heard] + applied { writer.integer(number) }
        for number in [batches.lowerBound, batches.upperBound] + baseParts { writer.integer(number) }
        for revision in collected { writer.integer(revision) }
        writer.integer(UInt32(aliases.count))
        for (row, item) in aliases.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            writer.append(row + item)
        }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.integer(UInt8.self) == Self.version else { throw SealingError.malformed }
        account = try reader.read(32)
        engine = String(decoding: try reader.prefixed(limit: 4096), as: UTF8.self)
        name = String(decoding: try reader.prefixed(limit: 4096), as: UTF8.self)
        records = []
        for _ in 0..<(try reader.integer(UInt32.self)) { records.append(try reader.prefixed(limit: 8192)) }
        written = try reader.integer()
        place = try reader.integer()
        first = try reader.integer()
        base = try reader.integer()
        removed = try reader.integer()
        heard = try reader.integer()
        for index in 0..<3 { applied[index] = try reader.integer() }
        let (lower, upper) = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
        guard lower <= upper else { throw SealingError.malformed }
        batches = lower..<upper
        for index in 0..<4 { baseParts[index] = try reader.integer() }
        for index in 0..<3 { collected[index] = try reader.integer() }
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let row = try reader.read(16)
            aliases[row] = try reader.read(16)
        }
        try reader.end()
    }
}

/// The names of the stored records.
enum RecordName {
    static let state = "state"
    static let outgoing = "outgoing"
    static let preferences = "preferences"
    /// Public keys that become this device's, once the log has them.
    static let next = "next"
    static func signing(_ generation: Int) -> String { "signing/\(generation)" }
    static func opening(_ generation: Int, _ protectionClass: TravellingClass) -> String {
        "opening/\(generation)/\(protectionClass.rawValue)"
    }
    static func entries(_ batch: UInt32) -> String { "entries/\(batch)" }
    /// The chunks of the snapshot at which this home begins, until they are opened.
    static func chunk(_ stream: Int, _ index: Int) -> String { "beginning/\(stream)/\(index)" }
    static func base(_ stream: Int, _ part: UInt32) -> String { "base/\(stream)/\(part)" }
}

/// The last sent entry, and the sequence from which this home wrote all entries of this device since the state
/// was stored.
struct Outgoing {
    let first: UInt64
    let entry: [UInt8]

    init(first: UInt64, entry: [UInt8]) {
        self.first = first
        self.entry = entry
    }

    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        first = try reader.integer()
        entry = try reader.read(reader.remaining)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.integer(first)
        writer.append(entry)
        return writer.bytes
    }
}

/// The sequences of this device that this home itself wrote since its state was stored. Another copy of it may have
/// written others.
final class OwnSequences: Sendable {
    private let ranges = Locked<(first: UInt64?, last: UInt64)>((nil, 0))

    /// Records that an entry is about to be sent; returns the first sequence.
    func note(_ sequence: UInt64) -> UInt64 {
        ranges.withLock { ranges in
            ranges = (ranges.first ?? sequence, max(ranges.last, sequence))
            return ranges.first ?? sequence
        }
    }

    /// Restores the sequences that another process of this home wrote and could not finish.
    func open(_ first: UInt64, _ last: UInt64) { ranges.withLock { $0 = (first, last) } }

    /// Records that an entry was not stored in the log.
    func fail(_ sequence: UInt64) { ranges.withLock { $0.last = min($0.last, sequence - 1) } }

    func restart() { ranges.withLock { $0 = (nil, 0) } }

    func contains(_ sequence: UInt64) -> Bool {
        ranges.withLock { ranges in ranges.first.map { $0 <= sequence && sequence <= ranges.last } ?? false }
    }
}

/// Consecutive entries in stored form. Of an entry that is too large, only that fact is stored.
struct KeptEntries {
    /// The most bytes in a record of entries, unless a single entry has more.
    static let most = 1 << 20
    private static let oversize: UInt32 = .max

    var bytes: [UInt8] = []

    /// Nil for an entry that is too large.
    mutating func append(_ entry: [UInt8]?) {
        var writer = ByteWriter()
        writer.integer(entry.map { UInt32($0.count) } ?? Self.oversize)
        writer.append(entry ?? [])
        bytes += writer.bytes
    }

    /// The number of entries.
    var count: UInt64 {
        get throws {
            var count: UInt64 = 0
            try read { _ in count += 1 }
            return count
        }
    }

    func readFirst(_ body: ([UInt8]) throws -> Void) throws {
        var reader = ByteReader(bytes)
        guard reader.remaining > 0 else { return }
        let count = try reader.integer(UInt32.self)
        if count != Self.oversize { try body(try reader.read(Int(count))) }
    }

    func read(_ body: ([UInt8]) throws -> Void) throws {
        var reader = ByteReader(bytes)
        while reader.remaining > 0 {
            let count = try reader.integer(UInt32.self)
            guard count != Self.oversize else {
                try body([UInt8](repeating: 0, count: SyncLimits.entry + 1))
                continue
            }
            try body(try reader.read(Int(count)))
        }
    }
}

extension TravellingClass {
    /// The index in arrays by class.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The accessibility under which this device's own keys of the class are stored.
    var ownAccessibility: Accessibility {
        self == .complete ? .whenUnlockedThisDeviceOnly : .afterFirstUnlockThisDeviceOnly
    }
}
