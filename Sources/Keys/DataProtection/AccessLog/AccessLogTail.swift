// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory

/// The state at the end of the access log: the file `access-log/tail-…` (Documentation/Formats/AccessLog.md).
struct AccessLogTail: Sendable, Equatable {
    private static let slot = 256
    private static let magic = Array("zamoktal".utf8)

    var log: UniqueIdentifier
    var segment: UInt64
    var firstKept: UInt64
    /// The number of the next line.
    var next: UInt64
    /// The number of the first line of the current segment.
    var segmentStart: UInt64
    /// Seconds since 1970.
    var segmentBegan: UInt64
    /// Accesses since the last line that could not be recorded.
    var lost: UInt32 = 0

    private var head: [UInt8] {
        var writer = ByteWriter(capacity: Self.slot)
        writer.append(Self.magic + [1])
        writer.integer(lost)
        writer.append([0, 0, 0] + log.bytes)
        for number in [segment, firstKept, next, segmentStart, segmentBegan] { writer.integer(number) }
        return writer.bytes
    }

    private init?(head: [UInt8]) throws {
        var reader = ByteReader(head)
        guard try reader.read(8) == Self.magic else { return nil }
        guard try reader.integer(UInt8.self) == 1 else {
            throw DataProtectionError(
                .newerFormat, "the access log was written by a newer version of Zamok; nothing was changed")
        }
        lost = try reader.integer()
        guard try reader.read(3).allSatisfy({ $0 == 0 }), let log = UniqueIdentifier(bytes: try reader.read(16)) else {
            return nil
        }
        self.log = log
        (segment, firstKept, next) = (try reader.integer(), try reader.integer(), try reader.integer())
        (segmentStart, segmentBegan) = (try reader.integer(), try reader.integer())
        guard firstKept <= segment, segmentStart <= next, segment < AccessSegment.mostNumber else { return nil }
    }

    init(log: UniqueIdentifier, segment: UInt64, next: UInt64, now: UInt64) {
        (self.log, self.segment, firstKept, self.next) = (log, segment, segment, next)
        (segmentStart, segmentBegan) = (next, now)
    }

    /// A tail with its keys, and the slot that it was read from.
    struct Opened: ~Copyable {
        var tail: AccessLogTail
        var chain: AccessChain
        var slot: Int
    }

    /// The newest slot that opens; nil if none does. Errors: `.newerFormat`, those of reading.
    static func read(_ file: OpenFile, _ key: Secret, _ home: UniqueIdentifier) throws -> Opened? {
        let bytes = try file.read(count: 2 * slot + 1)
        guard bytes.count == 2 * slot else { return nil }
        var best: Opened?
        for index in 0..<2 {
            let part = Array(bytes[index * slot..<(index + 1) * slot])
            guard let found = try open(part, key, home, slot: index) else { continue }
            let known = (best?.tail.next ?? 0, best?.tail.lost ?? 0)
            if best == nil || (found.tail.next, found.tail.lost) > known { best = consume found }
        }
        return best
    }

    private static func open(_ part: [UInt8], _ key: Secret, _ home: UniqueIdentifier, slot: Int) throws -> Opened? {
        let head = Array(part[..<72])
        guard let tail = try AccessLogTail(head: head) else { return nil }
        do {
            let stored = try key.withSecretBytes {
                try Seal.open(Array(part[72..<164]), under: $0, authenticating: home.bytes + head)
            }
            return Opened(tail: tail, chain: try AccessChain(stored: stored), slot: slot)
        } catch is SealingError { return nil }
    }

    /// Writes the tail into the other slot and then zeroes the slot that it was in. That erases the key of the
    /// line before.
    func write(
        _ chain: borrowing AccessChain, to file: OpenFile, after slot: Int, _ key: Secret, _ home: UniqueIdentifier
    ) throws {
        let head = head
        let stored = try chain.stored()
        let sealed = try key.withSecretBytes { try Seal.seal(stored, under: $0, authenticating: home.bytes + head) }
        let rest = [UInt8](repeating: 0, count: Self.slot - head.count - sealed.count)
        try file.write(head + sealed + rest, at: (1 - slot) * Self.slot)
        try file.write([UInt8](repeating: 0, count: Self.slot), at: slot * Self.slot)
    }

    /// The content of a new file with this tail alone.
    func file(_ chain: borrowing AccessChain, _ key: Secret, _ home: UniqueIdentifier) throws -> [UInt8] {
        let head = head
        let stored = try chain.stored()
        let sealed = try key.withSecretBytes { try Seal.seal(stored, under: $0, authenticating: home.bytes + head) }
        return head + sealed + [UInt8](repeating: 0, count: 2 * Self.slot - head.count - sealed.count)
    }
}
