// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The identity and revision by which a row is counted.
package struct RowVersion: Equatable, Sendable {
    /// The row's number; 0 in tables that have none.
    package let number: Int64
    package let uuid: [UInt8]
    package let kind: UInt8
    /// The revision of the write that changed the row last; never used twice.
    package let revision: Int64

    package init(number: Int64, uuid: [UInt8], kind: UInt8, revision: Int64) {
        self.number = number
        self.uuid = uuid
        self.kind = kind
        self.revision = revision
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 40)
        writer.integer(number)
        writer.integer(revision)
        writer.integer(kind)
        writer.append(uuid)
        return writer.bytes
    }
}

/// An unsigned number of up to 32 bytes, modulo its width.
struct WideSum: Equatable, Sendable {
    /// The lowest word first; those beyond `count` are zero. Not an array, because each row that a write touches makes
    /// four of these.
    private var lanes = SIMD4<UInt64>()
    private let count: Int

    init(words count: Int) { self.count = count }

    /// The number in big-endian bytes; missing ones count as zero.
    init(_ bytes: [UInt8], words count: Int) {
        self.init(words: count)
        for word in 0..<count {
            var value: UInt64 = 0
            for index in 8 * word..<8 * word + 8 { value = value << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
            lanes[count - 1 - word] = value
        }
    }

    /// The lowest word first.
    var words: [UInt64] { (0..<count).map { lanes[$0] } }

    static func += (left: inout WideSum, right: WideSum) {
        var carry: UInt64 = 0
        for index in 0..<left.count {
            let (sum, first) = left.lanes[index].addingReportingOverflow(right.lanes[index])
            let (whole, second) = sum.addingReportingOverflow(carry)
            left.lanes[index] = whole
            carry = first || second ? 1 : 0
        }
    }

    static func -= (left: inout WideSum, right: WideSum) {
        var borrow: UInt64 = 0
        for index in 0..<left.count {
            let (difference, first) = left.lanes[index].subtractingReportingOverflow(right.lanes[index])
            let (whole, second) = difference.subtractingReportingOverflow(borrow)
            left.lanes[index] = whole
            borrow = first || second ? 1 : 0
        }
    }

    static func - (left: WideSum, right: WideSum) -> WideSum {
        var result = left
        result -= right
        return result
    }

    /// Big-endian.
    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 8 * count)
        for word in words.reversed() { writer.integer(word) }
        return writer.bytes
    }
}

/// Sums over all rows, which wrap round. A write updates them at a cost that is independent of the number of rows
/// (Keychain.md, "Sums").
///
/// Without the key `codes` cannot be forged. The other sums identify a single missing row.
struct RowTotals: Equatable, Sendable {
    var count: UInt64 = 0
    var numbers: UInt64 = 0
    var revisions: UInt64 = 0
    var kinds: UInt64 = 0
    var uuids = WideSum(words: 2)
    var codes = WideSum(words: 4)

    static let size = 80

    mutating func add(_ place: RowVersion, code: [UInt8]) {
        count &+= 1
        numbers &+= UInt64(bitPattern: place.number)
        revisions &+= UInt64(bitPattern: place.revision)
        kinds &+= UInt64(place.kind)
        uuids += WideSum(place.uuid, words: 2)
        codes += WideSum(code, words: 4)
    }

    mutating func subtract(_ place: RowVersion, code: [UInt8]) {
        count &-= 1
        numbers &-= UInt64(bitPattern: place.number)
        revisions &-= UInt64(bitPattern: place.revision)
        kinds &-= UInt64(place.kind)
        uuids -= WideSum(place.uuid, words: 2)
        codes -= WideSum(code, words: 4)
    }

    func append(to writer: inout ByteWriter) {
        for number in [count, numbers, revisions, kinds] { writer.integer(number) }
        writer.append(uuids.bytes)
        writer.append(codes.bytes)
    }

    /// The digest of all sums, 16 bytes.
    var digest: [UInt8] {
        var writer = ByteWriter(capacity: Self.size)
        append(to: &writer)
        return Array(Digest.sha256(writer.bytes).prefix(16))
    }

    init() {}

    init(_ reader: inout ByteReader) throws {
        count = try reader.integer()
        numbers = try reader.integer()
        revisions = try reader.integer()
        kinds = try reader.integer()
        uuids = WideSum(try reader.read(16), words: 2)
        codes = WideSum(try reader.read(32), words: 4)
    }
}

/// Totals with added or removed rows whose codes are still to be computed: many under one key, with one clearing of
/// temporary memory.
struct RowChanges: Sendable {
    private(set) var totals: RowTotals
    private var pending: [(place: RowVersion, isThere: Bool)] = []

    /// How many codes are computed at once, so that a write of every row needs no memory for all of them.
    static let atOnce = 1024

    init(_ totals: RowTotals = RowTotals()) { self.totals = totals }

    /// Whether any row is there once all changes are counted.
    var countsRows: Bool {
        pending.reduce(totals.count) { $1.isThere ? $0 &+ 1 : $0 &- 1 } != 0
    }

    mutating func note(_ place: RowVersion, isThere: Bool, _ codes: ([RowVersion]) throws -> [[UInt8]]) throws {
        pending.append((place, isThere))
        if pending.count == Self.atOnce { try settle(codes) }
    }

    mutating func settle(_ codes: ([RowVersion]) throws -> [[UInt8]]) throws {
        guard !pending.isEmpty else { return }
        for (change, code) in zip(pending, try codes(pending.map(\.place))) {
            if change.isThere {
                totals.add(change.place, code: code)
            } else {
                totals.subtract(change.place, code: code)
            }
        }
        pending.removeAll()
    }
}
