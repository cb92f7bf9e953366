// SPDX-License-Identifier: Apache-2.0

import SecretMemory

// Inlinable (which needs `@usableFromInline` on the types): reading an integer through generic code of another module
// costs twenty times as much, and a row of the keychain has fifty of them (measured).

/// Reads bounded fields from untrusted bytes; throws `SealingError.malformed` instead of trapping.
@usableFromInline
package struct ByteReader {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline var position = 0

    @inlinable
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    @inlinable
    package var remaining: Int { bytes.count - position }

    @inlinable
    package mutating func read(_ count: Int) throws -> [UInt8] { Array(try slice(count)) }

    @inlinable
    package mutating func slice(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw SealingError.malformed }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// A big-endian integer.
    @inlinable
    package mutating func integer<I: FixedWidthInteger>(_: I.Type = I.self) throws -> I {
        let end = position + MemoryLayout<I>.size
        guard end <= bytes.count else { throw SealingError.malformed }
        var value: I = 0
        for index in position..<end { value = (value << 8) | I(truncatingIfNeeded: bytes[index]) }
        position = end
        return value
    }

    /// Bytes after a 32-bit length, which is at most `limit`.
    @inlinable
    package mutating func prefixed(limit: Int) throws -> [UInt8] {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw SealingError.malformed }
        return try read(count)
    }

    /// UTF-8 text of `count` bytes; other bytes are refused.
    package mutating func text(_ count: Int) throws -> String {
        let bytes = try slice(count)
        // Decoding repairs invalid UTF-8, and repaired text has other bytes. The validating initializer is generic,
        // and slower.
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.isASCII || text.utf8.elementsEqual(bytes) else { throw SealingError.malformed }
        return text
    }

    /// Refuses bytes that follow.
    @inlinable
    package func end() throws {
        guard remaining == 0 else { throw SealingError.malformed }
    }
}

extension ArraySlice<UInt8> {
    package var isASCII: Bool { reduce(0) { $0 | $1 } < 0x80 }
}

/// Writes the format that `ByteReader` reads.
@usableFromInline
package struct ByteWriter {
    @usableFromInline package internal(set) var bytes: [UInt8] = []

    /// `capacity`: the expected number of bytes. Most outputs are short: growing from empty takes longer than
    /// writing them.
    @inlinable
    package init(capacity: Int = 64) { bytes.reserveCapacity(capacity) }

    @inlinable
    package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    @inlinable
    package mutating func integer<I: FixedWidthInteger>(_ value: I) {
        for shift in stride(from: I.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Makes room for so many more bytes, for a secret. Where that moves the bytes, the former place is overwritten.
    package mutating func makeRoom(_ more: Int) {
        guard bytes.capacity - bytes.count < more else { return }
        var larger: [UInt8] = []
        larger.reserveCapacity(max(2 * bytes.capacity, bytes.count + more))
        larger.append(contentsOf: bytes)
        bytes.wipe()
        bytes = larger
    }

    @inlinable
    package mutating func prefixed(_ more: some Collection<UInt8>) {
        integer(UInt32(truncatingIfNeeded: more.count))
        append(more)
    }
}
