// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// Foundation makes `Data` from an NSData byte by byte, 100 ns for each, unless the object says that its bytes lie together, which
// NSData's own always do (Decision 0015). That concerns every `as Data` after a function of Security, and every call that takes data. If
// Foundation should make this conformance one day, the compiler says so here, and this file goes.
extension NSData: @retroactive ContiguousBytes {
    /// Lends the bytes to `body`; throws what `body` throws.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe body(byteBuffer)
    }
}

extension NSData {
    /// The bytes, for as long as the object lives.
    package var byteBuffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: bytes, count: length) }

    package var byteArray: [UInt8] { unsafe Array(byteBuffer) }
}
#endif
