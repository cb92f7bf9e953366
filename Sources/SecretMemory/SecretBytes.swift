// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Bytes that are wiped when they are no longer needed.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Immutable after init; the memory is owned by this value alone.
    private let storage: UnsafeMutableRawBufferPointer

    /// How many bytes there are.
    public var count: Int { unsafe storage.count }

    /// A secret of `count` zero bytes, then filled in place.
    public init(count: Int, fill: (inout MutableRawSpan) throws -> Void) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        _ = unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe storage = memory
        var span = unsafe MutableRawSpan(_unsafeBytes: memory)
        try fill(&span)
    }

    /// A copy of `bytes`; the original stays where it is, and is the caller's to wipe.
    public init(copying bytes: some Collection<UInt8>) throws {
        unsafe storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        unsafe storage.copyBytes(from: bytes)
    }

    /// `count` bytes of the system's random generator.
    public static func random(count: Int) throws -> SecretBytes {
        var generator = SystemRandomNumberGenerator()
        return try SecretBytes(count: count) { span in
            for index in 0..<count {
                span.storeBytes(of: UInt8.random(in: 0...255, using: &generator), toByteOffset: index, as: UInt8.self)
            }
        }
    }

    deinit {
        unsafe zamok_wipe(storage.baseAddress, storage.count)
        unsafe storage.deallocate()
    }

    /// Lends the bytes to `body`.
    public borrowing func withBytes<R: ~Copyable>(_ body: (RawSpan) throws -> R) throws -> R {
        try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(storage)))
    }

    /// Whether both hold the same bytes; the time depends on the count only.
    public borrowing func isEqual(to other: borrowing SecretBytes) throws -> Bool {
        guard count == other.count else { return false }
        return unsafe zamok_compare(storage.baseAddress, other.storage.baseAddress, count) == 0
    }
}
