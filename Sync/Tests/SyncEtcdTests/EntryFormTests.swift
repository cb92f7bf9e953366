// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SyncEtcd

/// Entries as values of etcd (Documentation/Formats/SyncLog.md, "An entry in etcd").
@Suite struct EntryFormTests {
    private static let account = (0..<32).map { UInt8($0) }
    private static let place: UInt64 = 0x0102_0304_0506
    private static let before = [UInt8](repeating: 0xBE, count: 32)
    private static let own = [UInt8](repeating: 0x0E, count: 32)
    private static let signature = [UInt8](repeating: 0x51, count: 64)

    private static func entry(kind: UInt8, own: [UInt8] = own, _ body: [UInt8]) -> [UInt8] {
        var bytes = Array("zsyn".utf8) + [1, kind, 0, 0] + account + [0, 0, 1, 2, 3, 4, 5, 6] + before
        // Epoch 3, author 200, sequence 5.
        bytes += [0, 0, 0, 3, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0, 5] + own
        bytes += [0, 0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)]
        return bytes + body + signature
    }

    private static let part = [UInt8](repeating: 0x5A, count: 32) + [0, 0, 1, 16] + [UInt8](repeating: 7, count: 272)

    /// Edits of so many parts of 272 bytes each.
    private static func edits(_ parts: Int) -> [UInt8] {
        var bytes = [UInt8(parts)]
        for number in [UInt8(1), 3, 4].prefix(parts) { bytes += [number] + part }
        return bytes
    }

    private static func value(_ entry: [UInt8]) -> [UInt8] { EntryForm.value(entry, at: place, of: account) }
    private static func entry(_ value: [UInt8]) -> [UInt8] { EntryForm.entry(value, at: place, of: account) }

    @Test func `a small edit is kept in the bytes that the page says`() {
        let salt = [UInt8](repeating: 0x5A, count: 32)
        let sealed = [UInt8](repeating: 7, count: 272)
        let numbers: [UInt8] = [3, 0xC8, 1, 5]
        #expect(
            Self.value(Self.entry(kind: 2, Self.edits(1)))
                == [0x80 + 0x20 + 2] + numbers + Self.before + Self.own + [1] + salt + sealed + Self.signature)
        let alone = Self.value(Self.entry(kind: 2, own: Self.before, Self.edits(1)))
        #expect(alone == [0x80 + 0x40 + 0x20 + 2] + numbers + Self.before + [1] + salt + sealed + Self.signature)
        #expect(alone.count == 406)
        let body: [UInt8] = [1, 2, 3]
        #expect(
            Self.value(Self.entry(kind: 7, body)) == [0x87] + numbers + Self.before + Self.own + body + Self.signature)
    }

    @Test func `every kind, size and number is read as it was written`() {
        var entries = [Self.entry(kind: 11, []), Self.entry(kind: 2, []), Self.entry(kind: 2, [1])]
        for parts in 1...3 {
            entries += [Self.entry(kind: 2, Self.edits(parts)), Self.entry(kind: 9, Self.edits(parts))]
        }
        for kind in 0...15 {
            entries.append(Self.entry(kind: UInt8(kind), own: Self.before, [UInt8](repeating: 2, count: 300)))
        }
        for (at, byte) in [(80, 0xFF), (83, 0x80), (84, 0xFF), (88, 0x7F), (90, 1), (95, 0xFF)] {
            var entry = Self.entry(kind: 2, Self.edits(1))
            entry[at] = UInt8(byte)
            entries.append(entry)
        }
        for entry in entries {
            let value = Self.value(entry)
            #expect(value.count < entry.count - 50)
            #expect(Self.entry(value) == entry)
        }
    }

    // Rule: bytes whose short form in etcd would be read as other bytes are kept whole there | EntryForm.value takes
    //   the short form without comparing | read with the account, place and lengths of the key
    @Test func `what the short form doesn't give back is kept as it is`() {
        let entry = Self.entry(kind: 2, Self.edits(1))
        var others = [[], [0], Array("zsyn".utf8), Array(entry.prefix(195))]
        // Magic, version, kind, zero bytes, account, place, a sequence of 64 bits, length of the body, of the part.
        for at in [0, 4, 6, 7, 8, 39, 40, 47, 128, 131, 166, 169] {
            var other = entry
            other[at] ^= 1
            others.append(other)
        }
        for (at, byte) in [(5, 0x12), (88, 0x80)] {
            var other = entry
            other[at] = UInt8(byte)
            others.append(other)
        }
        for other in others {
            #expect(Self.value(other) == other)
            #expect(Self.entry(other) == other)
        }
    }

    // Rule: a value of etcd is read as an entry in short form only if that form is the entry's | EntryForm.entry
    //   doesn't shorten it again | two values are one entry
    @Test func `no two values are read as one entry`() {
        let entry = Self.entry(kind: 2, own: Self.before, Self.edits(1))
        let value = Self.value(entry)
        let long = [value[0] & ~0x40] + value[1..<37] + Self.before + value[37...]
        let whole = [value[0] & ~0x20] + value[1..<37] + Self.edits(1) + Self.signature
        let wide = [value[0], 0x83, 0] + value[2...]
        for other in [long, whole, wide, [value[0] | 0x10] + value.dropFirst()] {
            #expect(Self.entry(Array(other)) == Array(other))
        }
    }

    @Test func `no value traps`() {
        var generator = SystemRandomNumberGenerator()
        let value = Self.value(Self.entry(kind: 2, Self.edits(2)))
        for count in 0...value.count { _ = Self.entry(Array(value.prefix(count))) }
        for _ in 0..<20_000 {
            var other = Array(value.prefix(Int.random(in: 0...value.count, using: &generator)))
            for _ in 0..<4 where !other.isEmpty {
                other[Int.random(in: 0..<min(other.count, 200), using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let read = Self.entry(other)
            #expect(Self.value(read) == other || read == other)
        }
    }
}
