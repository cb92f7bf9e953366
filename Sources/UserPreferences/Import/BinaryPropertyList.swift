// SPDX-License-Identifier: Apache-2.0

/// Reads binary property lists ("bplist00") with limits, keyed-archive references included, which Foundation hides.
///
/// The layout is that of CoreFoundation's published CFBinaryPList.c: marker bytes, a table of offsets, a trailer of 32 bytes.
/// Objects are read when they are reached, so that a file can't make more work than the limits allow.
struct BinaryPropertyList {
    /// One object, its parts still as indices.
    enum Object {
        case null
        case value(PropertyValue)
        case reference(Int)
        case array([Int])
        case set([Int])
        case dictionary([(key: Int, value: Int)])
    }

    /// Most objects of a file.
    static let objectLimit = 4_000_000

    let root: Int
    let count: Int
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let tableStart: Int

    init(_ bytes: [UInt8]) throws(ImportError) {
        guard bytes.count >= 40, bytes.starts(with: "bplist0".utf8) else { throw .notAPropertyList }
        self.bytes = bytes
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let numbers = try [8, 16, 24].map { (offset) throws(ImportError) in
            try Self.integer(bytes, at: trailer + offset, size: 8)
        }
        (count, root, tableStart) = (numbers[0], numbers[1], numbers[2])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), (1...Self.objectLimit).contains(count),
            root < count, tableStart >= 8, tableStart <= trailer, count * offsetSize <= trailer - tableStart
        else { throw .damaged }
    }

    func object(_ index: Int) throws(ImportError) -> Object {
        guard (0..<count).contains(index) else { throw .damaged }
        let start = try integer(at: tableStart + index * offsetSize, size: offsetSize)
        guard start < tableStart else { throw .damaged }
        let (high, low) = (bytes[start] >> 4, Int(bytes[start] & 0x0F))
        switch high {
        case 0x0: return try simple(bytes[start])
        case 0x1: return .value(.integer(try signed(at: start + 1, log: low)))
        case 0x2: return .value(.real(try real(at: start + 1, log: low)))
        case 0x3:
            guard low == 3 else { throw .damaged }
            return .value(.date(try real(at: start + 1, log: 3)))
        case 0x8: return .reference(try integer(at: start + 1, size: low + 1))
        default: return try sized(high, low, start)
        }
    }

    private func simple(_ marker: UInt8) throws(ImportError) -> Object {
        switch marker {
        case 0x00: .null
        case 0x08: .value(.boolean(false))
        case 0x09: .value(.boolean(true))
        default: throw .damaged
        }
    }

    private func sized(_ high: UInt8, _ low: Int, _ start: Int) throws(ImportError) -> Object {
        var (length, body) = (low, start + 1)
        if low == 0x0F {
            guard body < tableStart, bytes[body] >> 4 == 1 else { throw .damaged }
            let size = 1 << Int(bytes[body] & 0x0F)
            length = try integer(at: body + 1, size: size)
            body += 1 + size
        }
        switch high {
        case 0x4: return .value(.data(Array(try slice(body, length))))
        case 0x5: return .value(.string(String(decoding: try slice(body, length), as: UTF8.self)))
        case 0x6:
            guard length <= bytes.count else { throw .damaged }
            return .value(.string(try utf16(try slice(body, length * 2))))
        case 0xA: return .array(try references(body, length))
        case 0xB, 0xC: return .set(try references(body, length))
        case 0xD:
            let keys = try references(body, length)
            let values = try references(body + length * referenceSize, length)
            return .dictionary(zip(keys, values).map { (key: $0, value: $1) })
        default: throw .damaged
        }
    }

    private func references(_ start: Int, _ length: Int) throws(ImportError) -> [Int] {
        guard length <= bytes.count else { throw .damaged }
        _ = try slice(start, length * referenceSize)
        var found: [Int] = []
        found.reserveCapacity(length)
        for index in 0..<length {
            found.append(try integer(at: start + index * referenceSize, size: referenceSize))
        }
        return found
    }

    private func utf16(_ units: ArraySlice<UInt8>) throws(ImportError) -> String {
        var all: [UInt16] = []
        var high: UInt8?
        for byte in units {
            if let first = high {
                all.append(UInt16(first) << 8 | UInt16(byte))
                high = nil
            } else {
                high = byte
            }
        }
        return String(decoding: all, as: UTF16.self)
    }

    private func slice(_ start: Int, _ length: Int) throws(ImportError) -> ArraySlice<UInt8> {
        guard start >= 0, length >= 0, start <= tableStart, length <= tableStart - start else { throw .damaged }
        return bytes[start..<start + length]
    }

    /// 1, 2, 4 bytes are unsigned, 8 are signed; 16 are read where the upper half is empty.
    private func signed(at start: Int, log: Int) throws(ImportError) -> Int64 {
        guard log <= 4 else { throw .damaged }
        let part = try slice(start, 1 << log)
        if log == 4, part.prefix(8).contains(where: { $0 != 0 }) { throw .damaged }
        return Int64(bitPattern: part.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func real(at start: Int, log: Int) throws(ImportError) -> Double {
        guard log == 2 || log == 3 else { throw .damaged }
        let bits = try slice(start, 1 << log).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return log == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    private func integer(at start: Int, size: Int) throws(ImportError) -> Int {
        try Self.integer(bytes, at: start, size: size)
    }

    private static func integer(_ bytes: [UInt8], at start: Int, size: Int) throws(ImportError) -> Int {
        guard (1...16).contains(size), start >= 0, start <= bytes.count - size else { throw .damaged }
        var value: UInt64 = 0
        for byte in bytes[start..<start + size] {
            guard value >> 56 == 0 else { throw .damaged }
            value = value << 8 | UInt64(byte)
        }
        guard let number = Int(exactly: value) else { throw .damaged }
        return number
    }
}
