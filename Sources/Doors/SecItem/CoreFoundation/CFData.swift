// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
public import SecurityTypes

// The functions of CFData that code which calls SecKey and SecItem uses beside them.

/// How many bytes there are.
public func CFDataGetLength(_ data: CFData!) -> CFIndex { data.length }

/// Where the bytes are, for as long as the data lives and is not changed.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
    unsafe data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Data with a copy of these bytes; nil for a negative length.
///
/// - Parameters:
///   - allocator: Ignored.
///   - bytes: What is copied.
///   - length: How many bytes.
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    guard length >= 0 else { return nil }
    return unsafe NSData(bytes: bytes, length: length)
}

/// Data that uses these bytes where they are; nil for a negative length.
///
/// - Parameters:
///   - allocator: Ignored.
///   - bytes: What is used; it has to stay as long as the data does.
///   - length: How many bytes.
///   - bytesDeallocator: `kCFAllocatorNull`: the bytes stay the caller's. Anything else: they came from `malloc`, and are freed with the data.
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex, _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0, let bytes = unsafe bytes else { return length == 0 ? NSData() : nil }
    return unsafe NSData(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), length: length,
        freeWhenDone: bytesDeallocator !== kCFAllocatorNull)
}
#endif
