// SPDX-License-Identifier: Apache-2.0

/// The objects of a binary property list (`bplist00`), each parsed when it is reached. The layout follows
/// CoreFoundation's published CFBinaryPList.c: marker bytes, an offset table, a trailer of 32 bytes.
package struct BinaryPropertyList: Sendable {
    /// An object; its content and parts are positions in the file.
    enum Object: Sendable {
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case date(Double)
        case data(Range<Int>)
        case text(Range<Int>, isWide: Bool)
        /// A reference in a keyed archive.
        case reference(Int)
        case array(References)
        case dictionary(keys: References, values: References)
        /// The name of a value that property lists don't have.
        case foreign(String)
    }

    /// A run of object numbers in the file.
    struct References: Sendable {
        fileprivate let start: Int
        let count: Int
    }

    let root: Int
    let count: Int
    let file: BoundedBytes<ReadingError>
    private let offsetWidth: Int
    private let referenceWidth: Int
    /// The end of the objects and the start of the offset table.
    private let tableStart: Int

    init(_ bytes: [UInt8]) throws(ReadingError) {
        guard bytes.starts(with: "bplist00".utf8), bytes.count >= 40 else {
            throw .malformed("a binary property list of another version, or cut short")
        }
        file = BoundedBytes(bytes[...]) { .malformed($0) }
        let trailer = try file.window(at: file.count - 32, count: 32)
        offsetWidth = Int(try trailer.uint8(at: 6))
        referenceWidth = Int(try trailer.uint8(at: 7))
        let numbers = (
            try trailer.uint64(at: 8, .big), try trailer.uint64(at: 16, .big), try trailer.uint64(at: 24, .big)
        )
        let end = UInt64(file.count - 32)
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), numbers.2 >= 8, numbers.2 <= end,
            numbers.0 >= 1, numbers.0 <= (end - numbers.2) / UInt64(offsetWidth), numbers.1 < numbers.0
        else { throw .malformed("the trailer of the binary property list does not fit") }
        (count, root, tableStart) = (Int(numbers.0), Int(numbers.1), Int(numbers.2))
    }

    func object(_ number: Int) throws(ReadingError) -> Object {
        guard (0..<count).contains(number) else { throw .malformed("a reference to a value that is not there") }
        let offset = try file.integer(at: tableStart + number * offsetWidth, width: offsetWidth)
        guard offset < UInt64(tableStart) else { throw .malformed("a value outside the file") }
        let marker = try file.uint8(at: Int(offset))
        let start = Int(offset) + 1
        switch marker >> 4 {
        case 0x0: return try simple(marker)
        case 0x1: return try integer(at: start, log: marker & 0x0F)
        case 0x2: return .real(try real(at: start, log: marker & 0x0F))
        case 0x3: return .date(try real(at: start, log: 3))
        case 0x8: return try reference(at: start, width: Int(marker & 0x0F) + 1)
        case 0x4...0xD: return try sized(marker, start)
        default: throw Self.unknownType
        }
    }

    /// The object number of one of the references.
    func number(_ references: References, _ index: Int) throws(ReadingError) -> Int {
        let number = try file.integer(at: references.start + index * referenceWidth, width: referenceWidth)
        guard number < UInt64(count) else { throw .malformed("a reference to a value that is not there") }
        return Int(number)
    }

    private static var unknownType: ReadingError { .malformed("a value of a type that property lists do not have") }

    private func simple(_ marker: UInt8) throws(ReadingError) -> Object {
        switch marker {
        case 0x00: return .foreign("null")
        case 0x08, 0x09: return .boolean(marker == 0x09)
        default: throw Self.unknownType
        }
    }

    /// Integers of 1, 2 and 4 bytes are unsigned, of 8 bytes signed. With 16 bytes, an empty upper half means an
    /// unsigned 64-bit number.
    private func integer(at start: Int, log: UInt8) throws(ReadingError) -> Object {
        guard log == 4 else {
            guard log < 4 else { throw .malformed("a number of more than 128 bits") }
            return .integer(Int64(bitPattern: try file.integer(at: start, width: 1 << Int(log))))
        }
        let high = try file.uint64(at: start, .big)
        guard high == 0, let number = Int64(exactly: try file.uint64(at: start + 8, .big)) else {
            return .foreign("a number of more than 63 bits")
        }
        return .integer(number)
    }

    private func real(at start: Int, log: UInt8) throws(ReadingError) -> Double {
        guard log == 2 || log == 3 else { throw .malformed("a number of an unknown width") }
        let bits = try file.integer(at: start, width: 1 << Int(log))
        return log == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    private func reference(at start: Int, width: Int) throws(ReadingError) -> Object {
        guard let number = Int(exactly: try file.integer(at: start, width: width)) else {
            throw .malformed("a reference to a value that is not there")
        }
        return .reference(number)
    }

    private func sized(_ marker: UInt8, _ start: Int) throws(ReadingError) -> Object {
        let (count, start) = try count(marker, start)
        switch marker >> 4 {
        case 0x4: return .data(try range(start, count))
        case 0x5: return .text(try range(start, count), isWide: false)
        case 0x6: return .text(try range(start, count * 2), isWide: true)
        case 0xA: return .array(try references(start, count))
        case 0xB, 0xC: return .foreign("a set")
        case 0xD:
            let keys = try references(start, count)
            return .dictionary(keys: keys, values: try references(start + count * referenceWidth, count))
        default: throw Self.unknownType
        }
    }

    /// The count of a container or string, and where its content begins. The count may follow as a separate integer. It
    /// never exceeds the size of the file.
    private func count(_ marker: UInt8, _ start: Int) throws(ReadingError) -> (count: Int, start: Int) {
        guard marker & 0x0F == 0x0F else { return (Int(marker & 0x0F), start) }
        let kind = try file.uint8(at: start)
        guard kind >> 4 == 0x1, kind & 0x0F <= 3 else { throw .malformed("a length that can't be read") }
        let width = 1 << Int(kind & 0x0F)
        let count = try file.integer(at: start + 1, width: width)
        guard count <= UInt64(file.count) else { throw .malformed("a length past the end") }
        return (Int(count), start + 1 + width)
    }

    private func references(_ start: Int, _ count: Int) throws(ReadingError) -> References {
        _ = try range(start, count * referenceWidth)
        return References(start: start, count: count)
    }

    private func range(_ start: Int, _ count: Int) throws(ReadingError) -> Range<Int> {
        guard start <= tableStart, count <= tableStart - start else { throw .malformed("a value past the end") }
        return start..<start + count
    }
}
