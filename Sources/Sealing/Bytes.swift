// SPDX-License-Identifier: Apache-2.0

/// Reads bounded fields from bytes of outside; throws `SealingError.malformed` instead of trapping.
package struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var remaining: Int { bytes.count - position }

    package mutating func read(_ count: Int) throws -> [UInt8] {
        guard count >= 0, count <= remaining else { throw SealingError.malformed }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// A big-endian integer.
    package mutating func integer<I: FixedWidthInteger>(_: I.Type = I.self) throws -> I {
        try read(MemoryLayout<I>.size).reduce(0) { ($0 << 8) | I(truncatingIfNeeded: $1) }
    }

    /// Bytes behind a 32-bit length, at most `limit`.
    package mutating func prefixed(limit: Int) throws -> [UInt8] {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw SealingError.malformed }
        return try read(count)
    }

    /// Nothing may follow.
    package func end() throws {
        guard remaining == 0 else { throw SealingError.malformed }
    }
}

/// Writes what `ByteReader` reads.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    package mutating func integer(_ value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    package mutating func prefixed(_ more: some Collection<UInt8>) {
        integer(UInt32(truncatingIfNeeded: more.count))
        append(more)
    }
}
