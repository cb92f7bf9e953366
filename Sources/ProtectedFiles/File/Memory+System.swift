// SPDX-License-Identifier: Apache-2.0
//
// Bytes of files, lent and overwritten.

import CPlatform

extension Array where Element == UInt8 {
    /// Lends the first `count` bytes.
    func withSpan<R>(_ count: Int, from begin: Int = 0, _ body: (RawSpan) throws -> R) rethrows -> R {
        try unsafe withUnsafeBytes {
            try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: $0[begin..<begin + count])))
        }
    }

    /// The bytes of `span`.
    init(copying span: RawSpan) { self = unsafe span.withUnsafeBytes { unsafe Array($0) } }

    mutating func append(copying span: RawSpan) { unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) } }

    /// Overwrites content that was here.
    mutating func wipe() { unsafe withUnsafeMutableBytes { unsafe zamok_wipe($0.baseAddress, $0.count) } }
}

extension MutableRawSpan {
    /// Copies all of `span` to `offset`; what doesn't fit is left out.
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
