// SPDX-License-Identifier: Apache-2.0

extension SecretBytes {
    /// A secret of its own with the bytes of `range`; nil if they aren't all there.
    package borrowing func part(_ range: Range<Int>) throws -> SecretBytes? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return try withBytes { source in
            try SecretBytes(count: range.count) { target in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: .init(rebasing: $0[range])) }
                }
            }
        }
    }

    /// The bytes of `range`, which must not be secret: magic numbers, lengths, names. Nil if they aren't all there.
    package borrowing func exposingBytes(_ range: Range<Int>) throws -> [UInt8]? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return try withBytes { source in unsafe source.withUnsafeBytes { unsafe Array($0[range]) } }
    }

    /// Both, one after the other.
    package borrowing func joined(with next: borrowing SecretBytes) throws -> SecretBytes {
        let first = count
        return try SecretBytes(count: first + next.count) { target in
            try copy(into: &target, at: 0)
            try next.copy(into: &target, at: first)
        }
    }

    /// Puts all bytes into `target` from `offset` on; returns false, and does nothing, if there is no room for them.
    @discardableResult
    package borrowing func copy(into target: inout MutableRawSpan, at offset: Int) throws -> Bool {
        guard offset >= 0, offset <= target.byteCount, count <= target.byteCount - offset else { return false }
        try withBytes { source in
            unsafe target.withUnsafeMutableBytes { target in
                unsafe source.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
                }
            }
        }
        return true
    }

    /// Whether every byte is zero.
    package borrowing func isZero() throws -> Bool {
        try withBytes { source in
            unsafe source.withUnsafeBytes { unsafe $0.reduce(UInt8(0)) { $0 | $1 } } == 0
        }
    }
}

extension RawSpan {
    /// A copy in ordinary memory, for bytes that are not secret.
    package var exposedBytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

    /// A big-endian integer; nil where it would go past the end. Inlinable, because loops read single bytes with it.
    @inlinable
    package func bigEndian<I: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as: I.Type = I.self) -> I? {
        guard offset >= 0, offset <= byteCount - MemoryLayout<I>.size else { return nil }
        return I(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: I.self))
    }
}
