// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Bytes in guarded memory, wiped when they are no longer needed.
///
/// They have one owner, are lent and never handed out, don't print, and compare in constant time. Any thread may use them.
/// Every use in a child process after fork throws ``SecretMemoryError/Code/forked``.
@safe
public struct SecretBytes: ~Copyable, Sendable {
    private let slot: Slot

    /// How many bytes there are.
    public var count: Int { slot.count }

    /// A secret of `count` zero bytes, then filled in place. Throws what `fill` throws, and ``SecretMemoryError`` if there
    /// is no memory or this is a child after fork.
    public init(count: Int, fill: (inout MutableRawSpan) throws -> Void) throws {
        let slot = try Slot(count: count)
        let bytes = slot.bytes
        var span = unsafe MutableRawSpan(_unsafeStart: bytes.pointer, byteCount: count)
        try fill(&span)
        self.slot = slot
    }

    /// A copy of `bytes`; the original stays where it is, and is the caller's to wipe. Throws ``SecretMemoryError``: `outOfMemory`, `forked`.
    public init(copying bytes: some Collection<UInt8>) throws {
        let slot = try Slot(count: bytes.count)
        unsafe UnsafeMutableRawBufferPointer(start: slot.bytes.pointer, count: slot.count).copyBytes(from: bytes)
        self.slot = slot
    }

    /// A copy of the memory behind `bytes`.
    package init(copying bytes: UnsafeRawBufferPointer) throws {
        let slot = try Slot(count: bytes.count)
        if let start = bytes.baseAddress {
            unsafe slot.bytes.pointer.copyMemory(from: start, byteCount: bytes.count)
        }
        self.slot = slot
    }

    /// A copy of what `span` lends.
    package init(copying span: RawSpan) throws {
        self = try unsafe span.withUnsafeBytes { unsafe try SecretBytes(copying: $0) }
    }

    /// `count` bytes from the system's random generator. Throws ``SecretMemoryError``: `noRandomBytes`, `outOfMemory`, `forked`.
    public static func random(count: Int) throws -> SecretBytes {
        try SecretBytes(count: count) { span in
            try unsafe span.withUnsafeMutableBytes { bytes in
                guard unsafe zamok_random(bytes.baseAddress, bytes.count) == 0 else { throw SecretMemoryError.noRandom }
            }
        }
    }

    /// Lends the bytes to `body`. Throws what `body` throws, and ``SecretMemoryError/Code/forked`` in a child after fork.
    public borrowing func withBytes<R: ~Copyable>(_ body: (RawSpan) throws -> R) throws -> R {
        try slot.check()
        return try body(unsafe RawSpan(_unsafeStart: slot.bytes.pointer, byteCount: slot.count))
    }

    /// Whether both hold the same bytes; the time depends on the count only. Throws ``SecretMemoryError/Code/forked`` in a child after fork.
    public borrowing func isEqual(to other: borrowing SecretBytes) throws -> Bool {
        try slot.check()
        try other.slot.check()
        guard count == other.count else { return false }
        return unsafe zamok_compare(slot.bytes.pointer, other.slot.bytes.pointer, count) == 0
    }
}

/// Random bytes that are not secret, by one call to the system: Swift's generator makes one for every eight.
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
