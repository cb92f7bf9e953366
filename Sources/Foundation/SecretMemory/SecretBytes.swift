// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Bytes in guarded memory, wiped when they are no longer needed.
///
/// They have one owner, and are lent, never returned. They don't print, and compare in constant time. Any thread may
/// use them. In a child process after fork, every use throws ``SecretMemoryError/Code/forked``.
@safe
public struct SecretBytes: ~Copyable, Sendable {
    private let slot: Slot

    /// The number of bytes.
    public var count: Int { slot.count }

    /// Makes a secret of `count` zero bytes that `fill` then fills in place. Throws what `fill` throws;
    /// ``SecretMemoryError`` if there is no memory, or in a child after fork.
    public init(count: Int, fill: (inout MutableRawSpan) throws -> Void) throws {
        let slot = try Slot(count: count)
        let bytes = slot.bytes
        var span = unsafe MutableRawSpan(_unsafeStart: bytes.pointer, byteCount: count)
        try fill(&span)
        self.slot = slot
    }

    /// Copies `bytes`. The original is unchanged, and the caller must wipe it. Throws ``SecretMemoryError``:
    /// `outOfMemory`, `forked`.
    public init(copying bytes: some Collection<UInt8>) throws {
        let slot = try Slot(count: bytes.count)
        unsafe UnsafeMutableRawBufferPointer(start: slot.bytes.pointer, count: slot.count).copyBytes(from: bytes)
        self.slot = slot
    }

    /// Copies the memory of `bytes`.
    package init(copying bytes: UnsafeRawBufferPointer) throws {
        let slot = try Slot(count: bytes.count)
        if let start = bytes.baseAddress {
            unsafe slot.bytes.pointer.copyMemory(from: start, byteCount: bytes.count)
        }
        self.slot = slot
    }

    /// Copies the bytes of `span`.
    package init(copying span: RawSpan) throws {
        self = try unsafe span.withUnsafeBytes { unsafe try SecretBytes(copying: $0) }
    }

    /// Makes `count` bytes with the system's random generator. Throws ``SecretMemoryError``: `noRandomBytes`,
    /// `outOfMemory`, `forked`.
    public static func random(count: Int) throws -> SecretBytes {
        try SecretBytes(count: count) { span in
            try unsafe span.withUnsafeMutableBytes { bytes in
                guard unsafe zamok_random(bytes.baseAddress, bytes.count) == 0 else { throw SecretMemoryError.noRandom }
            }
        }
    }

    /// Lends the bytes to `body`. Throws what `body` throws; ``SecretMemoryError/Code/forked`` in a child after fork.
    public borrowing func withBytes<R: ~Copyable>(_ body: (RawSpan) throws -> R) throws -> R {
        try slot.check()
        return try body(unsafe RawSpan(_unsafeStart: slot.bytes.pointer, byteCount: slot.count))
    }

    /// Whether both have the same bytes; the time depends only on the count. Throws ``SecretMemoryError/Code/forked``
    /// in a child after fork.
    public borrowing func isEqual(to other: borrowing SecretBytes) throws -> Bool {
        try slot.check()
        try other.slot.check()
        guard count == other.count else { return false }
        return unsafe zamok_compare(slot.bytes.pointer, other.slot.bytes.pointer, count) == 0
    }
}

/// Random bytes that are not secret, with one system call. Swift's generator makes one for every eight bytes.
package func randomBytes(count: Int) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, used in
        guard unsafe zamok_random(bytes.baseAddress, count) == 0 else { throw SecretMemoryError.noRandom }
        used = count
    }
}

extension SecretMemoryError {
    fileprivate static var noRandom: SecretMemoryError {
        SecretMemoryError(.noRandomBytes, "The system's random generator does not answer.")
    }
}
