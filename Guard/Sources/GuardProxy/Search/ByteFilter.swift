// SPDX-License-Identifier: Apache-2.0

import CGuardProxy

/// Tells of most positions of a text that no pattern begins there, by three bytes at once. Eight groups of patterns
/// have a bit each; a byte has the bit of a group if each half of it, of 4 bits, is one of the group's.
struct ByteFilter {
    /// As `guard_proxy_candidate` has them.
    private var tables = [UInt8](repeating: 0, count: Int(GUARD_PROXY_TABLES))
    private var pairs: [UInt8] = []

    static let pairsSize = Int(GUARD_PROXY_PAIRS)

    /// Nothing is a candidate.
    init() {}

    /// `patterns`: which bytes the first three of each may be. `pairs`: a bit for each two bytes with which a pattern
    /// may begin, breaks between left out, and for its second and third. `blankIsFirst`: a pattern may begin with a
    /// blank, which in forms is a plus sign.
    init(_ patterns: [[[UInt8]]], _ pairs: [UInt8], blankIsFirst: Bool) {
        (self.pairs, tables) = (pairs, Self.kinds)
        let sorted = patterns.sorted { ($0[0].first ?? 0) < ($1[0].first ?? 0) }
        for (number, pattern) in sorted.enumerated() {
            let group = UInt8(1) << UInt8(number * 8 / sorted.count)
            for (place, bytes) in pattern.enumerated() {
                for byte in bytes { set(byte, group, 32 * place) }
            }
        }
        if blankIsFirst { tables[130] = tables[129] }
    }

    /// With breaks and escapes alone.
    private static let kinds: [UInt8] = {
        var filter = ByteFilter()
        var bit: UInt8 = 1
        let all = UInt8.min...UInt8.max
        filter.tables[128] = filter.addKind(all.filter { SearchedForms.isBreak(UInt32($0)) }, &bit)
        let escapes = filter.addKind(all.filter { Sign.mayBegin($0) && $0 != UInt8(ascii: "+") }, &bit)
        filter.tables[129] = escapes | filter.addKind([UInt8(ascii: "+")], &bit)
        filter.tables[130] = escapes
        return filter.tables
    }()

    mutating func wipe() {
        pairs.wipe()
        tables.wipe()
    }

    private mutating func set(_ byte: UInt8, _ bit: UInt8, _ table: Int) {
        tables[table + Int(byte & 15)] |= bit
        tables[table + 16 + Int(byte >> 4)] |= bit
    }

    /// Exactly these bytes: each upper half has a bit of its own. Returns the bits.
    private mutating func addKind(_ bytes: [UInt8], _ bit: inout UInt8) -> UInt8 {
        var bits: UInt8 = 0
        for upper in Set(bytes.map { $0 >> 4 }) {
            for byte in bytes where byte >> 4 == upper { set(byte, bit, 96) }
            bits |= bit
            bit <<= 1
        }
        return bits
    }

    /// The next position from this one on at which a pattern may begin. The last three always are.
    func next(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress, !pairs.isEmpty else { return bytes.count }
            return unsafe guard_proxy_candidate(tables, pairs, first, start, bytes.count)
        }
    }
}
