// SPDX-License-Identifier: Apache-2.0

/// At most five bytes, without an allocation.
struct FewBytes: Sequence, IteratorProtocol {
    private var bytes: UInt64 = 0
    private var count = 0

    init(_ bytes: UInt8?...) { for case let byte? in bytes { add(byte) } }

    mutating func add(_ byte: UInt8) {
        bytes |= UInt64(byte) << UInt64(8 * count)
        count += 1
    }

    func contains(_ byte: UInt8) -> Bool {
        var rest = bytes
        for _ in 0..<count {
            if UInt8(truncatingIfNeeded: rest) == byte { return true }
            rest >>= 8
        }
        return false
    }

    mutating func next() -> UInt8? {
        guard count > 0 else { return nil }
        defer { (bytes, count) = (bytes >> 8, count - 1) }
        return UInt8(truncatingIfNeeded: bytes)
    }
}
