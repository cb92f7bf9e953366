// SPDX-License-Identifier: Apache-2.0

import Sealing

/// Where a row stands and which state of it that is: what a row is counted by.
package struct RowPlace: Equatable, Sendable {
    /// The row's number; 0 in tables that have none.
    package let number: Int64
    package let uuid: [UInt8]
    package let kind: UInt8
    /// The number of the write that made the row what it is; never used twice.
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

/// An unsigned number of many bytes that counts round.
struct WideSum: Equatable, Sendable {
    /// The lowest first.
    private(set) var words: [UInt64]

    init(words count: Int) { words = [UInt64](repeating: 0, count: count) }

    /// Of big-endian bytes; what is missing counts as zero.
    init(_ bytes: [UInt8], words count: Int) {
        self.init(words: count)
        for (index, byte) in bytes.prefix(8 * count).enumerated() {
            let place = 8 * count - 1 - index
            words[place / 8] |= UInt64(byte) << UInt64(8 * (place % 8))
        }
    }

    static func += (left: inout WideSum, right: WideSum) {
        var carry: UInt64 = 0
        for index in left.words.indices {
            let (sum, first) = left.words[index].addingReportingOverflow(right.words[index])
            let (whole, second) = sum.addingReportingOverflow(carry)
            left.words[index] = whole
            carry = first || second ? 1 : 0
        }
    }

    static func -= (left: inout WideSum, right: WideSum) {
        var borrow: UInt64 = 0
        for index in left.words.indices {
            let (difference, first) = left.words[index].subtractingReportingOverflow(right.words[index])
            let (whole, second) = difference.subtractingReportingOverflow(borrow)
            left.words[index] = whole
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
        var writer = ByteWriter(capacity: 8 * words.count)
        for word in words.reversed() { writer.integer(word) }
        return writer.bytes
    }
}

/// All rows in a few numbers, which a write changes at a cost that doesn't depend on how many there are (Keychain.md, "Sums"). All count round.
///
/// `codes` is what nobody can forge; the others name the row when one is missing.
struct RowTotals: Equatable, Sendable {
    var count: UInt64 = 0
    var numbers: UInt64 = 0
    var revisions: UInt64 = 0
    var kinds: UInt64 = 0
    var uuids = WideSum(words: 2)
    var codes = WideSum(words: 4)

    static let size = 80

    mutating func add(_ place: RowPlace, code: [UInt8]) {
        count &+= 1
        numbers &+= UInt64(bitPattern: place.number)
        revisions &+= UInt64(bitPattern: place.revision)
        kinds &+= UInt64(place.kind)
        uuids += WideSum(place.uuid, words: 2)
        codes += WideSum(code, words: 4)
    }

    mutating func subtract(_ place: RowPlace, code: [UInt8]) {
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
