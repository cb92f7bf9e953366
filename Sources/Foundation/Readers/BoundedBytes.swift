// SPDX-License-Identifier: Apache-2.0

/// A window of untrusted bytes. A read past its end throws the error that `failure` makes from the message.
package struct BoundedBytes<Failure: Error>: Sendable {
    package enum Order: Sendable {
        case big
        case little
    }

    package let bytes: ArraySlice<UInt8>
    package let failure: @Sendable (String) -> Failure

    package init(_ bytes: ArraySlice<UInt8>, failure: @escaping @Sendable (String) -> Failure) {
        self.bytes = bytes
        self.failure = failure
    }

    package var count: Int { bytes.count }

    package var array: [UInt8] { Array(bytes) }

    package func window(at offset: Int, count length: Int) throws(Failure) -> BoundedBytes {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            throw failure("cut short: \(length) bytes wanted at \(offset), \(count) there")
        }
        let start = bytes.startIndex + offset
        return BoundedBytes(bytes[start..<start + length], failure: failure)
    }

    package func window(from offset: Int) throws(Failure) -> BoundedBytes {
        try window(at: offset, count: max(0, count - max(0, offset)))
    }

    package func uint8(at offset: Int) throws(Failure) -> UInt8 {
        UInt8(truncatingIfNeeded: try integer(at: offset, width: 1))
    }

    package func uint16(at offset: Int, _ order: Order) throws(Failure) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(at: offset, width: 2, order))
    }

    package func uint32(at offset: Int, _ order: Order) throws(Failure) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(at: offset, width: 4, order))
    }

    package func uint64(at offset: Int, _ order: Order) throws(Failure) -> UInt64 {
        try integer(at: offset, width: 8, order)
    }

    /// A 32-bit offset or length as Int.
    package func length32(at offset: Int, _ order: Order) throws(Failure) -> Int {
        Int(try uint32(at: offset, order))
    }

    /// The bytes up to the first NUL, which must be inside the window, as UTF-8.
    package func string(at offset: Int) throws(Failure) -> String {
        let tail = try window(from: offset)
        guard let end = tail.bytes.firstIndex(of: 0), let text = String(validUTF8: tail.bytes[..<end])
        else { throw failure("a name at \(offset) does not end or is not UTF-8") }
        return text
    }

    /// A number of 1 to 8 bytes.
    package func integer(at offset: Int, width: Int, _ order: Order = .big) throws(Failure) -> UInt64 {
        guard (1...8).contains(width) else { throw failure("a number of \(width) bytes") }
        let field = try window(at: offset, count: width).bytes
        return order == .big
            ? field.reduce(0) { $0 << 8 | UInt64($1) } : field.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
