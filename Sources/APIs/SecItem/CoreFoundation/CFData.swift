// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
public import SecurityTypes

// The CFData functions that callers of SecKey and SecItem use with them.

/// The number of bytes.
public func CFDataGetLength(_ data: CFData!) -> CFIndex { data.length }

/// A pointer to the bytes, valid as long as the data exists and is not changed.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
    unsafe data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Makes data with a copy of these bytes; nil for a negative length.
///
/// - Parameters:
///   - allocator: Ignored.
///   - bytes: The bytes to copy.
///   - length: The number of bytes.
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    guard length >= 0 else { return nil }
    return unsafe NSData(bytes: bytes, length: length)
}

/// Makes data that uses these bytes in place; nil for a negative length.
///
/// - Parameters:
///   - allocator: Ignored.
///   - bytes: The bytes; they must exist as long as the data does.
///   - length: The number of bytes.
///   - bytesDeallocator: `kCFAllocatorNull`: the caller keeps the bytes. Any other value: they came from `malloc`, and
///     are freed with the data.
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex, _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0, let bytes = unsafe bytes else { return length == 0 ? NSData() : nil }
    return unsafe NSData(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), length: length,
        freeWhenDone: bytesDeallocator !== kCFAllocatorNull)
}
#endif
