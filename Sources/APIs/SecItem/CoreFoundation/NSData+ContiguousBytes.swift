// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// Foundation copies an NSData to `Data` byte by byte, 100 ns for each, unless the object says that its bytes are
// contiguous. NSData's own always are (Decision 0015). That affects every `as Data` after a function of Security, and
// every call that takes data. If Foundation adds this conformance one day, the compiler reports it here, and this file
// can go.
extension NSData: @retroactive ContiguousBytes {
    /// Lends the bytes to `body`; throws what `body` throws.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe body(byteBuffer)
    }
}

extension NSData {
    /// The bytes, valid as long as the object exists.
    package var byteBuffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: bytes, count: length) }

    package var byteArray: [UInt8] { unsafe Array(byteBuffer) }
}
#endif
