// SPDX-License-Identifier: Apache-2.0
//
// Bytes of files, lent.

import CPlatform

extension Array where Element == UInt8 {
    /// Calls `body` with a span of `count` bytes, starting at `begin`.
    func withSpan<R>(_ count: Int, from begin: Int = 0, _ body: (RawSpan) throws -> R) rethrows -> R {
        try unsafe withUnsafeBytes {
            try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: $0[begin..<begin + count])))
        }
    }

    /// Whether both have the same bytes. Uses `memcmp`, since `==` compares byte by byte.
    func hasBytes(of other: [UInt8]) -> Bool {
        guard count == other.count, !isEmpty else { return count == other.count }
        return unsafe withUnsafeBytes { bytes in
            unsafe other.withUnsafeBytes { other in
                guard let left = bytes.baseAddress, let right = other.baseAddress else { return false }
                return unsafe memcmp(left, right, bytes.count) == 0
            }
        }
    }

    /// Whether all bytes of the range, which must exist, are zero.
    func isZero(_ range: Range<Int>) -> Bool {
        unsafe withUnsafeBytes {
            guard let begin = unsafe UnsafeRawBufferPointer(rebasing: $0[range]).baseAddress else { return true }
            // Each byte equals the one before it, and the first is zero.
            return unsafe $0[range.lowerBound] == 0 && memcmp(begin, begin.advanced(by: 1), range.count - 1) == 0
        }
    }

    /// Copies the bytes of `span`.
    init(copying span: RawSpan) { self = unsafe span.withUnsafeBytes { unsafe Array($0) } }

    mutating func append(copying span: RawSpan) { unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) } }
}

extension MutableRawSpan {
    /// Copies `span` to `offset`; bytes that don't fit are dropped.
    mutating func copy(_ span: RawSpan, at offset: Int) {
        unsafe withUnsafeMutableBytes { target in
            unsafe span.withUnsafeBytes { source in
                let count = Swift.min(source.count, Swift.max(0, target.count - offset))
                guard count > 0, let base = target.baseAddress, let from = source.baseAddress else { return }
                unsafe base.advanced(by: offset).copyMemory(from: from, byteCount: count)
            }
        }
    }
}

extension MutableRawSpan {
    /// Fills the span from `bytes`, beginning at `offset`; returns the number of bytes.
    mutating func copy(from bytes: [UInt8], at offset: Int) -> Int {
        let source = bytes[min(offset, bytes.count)...].prefix(byteCount)
        unsafe withUnsafeMutableBytes { unsafe $0.copyBytes(from: source) }
        return source.count
    }
}
