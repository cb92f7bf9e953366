// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
// Foundation brings Apple's own Security with it; naming that here would find the module of this package.
@_exported public import Foundation
#else
public import Foundation

/// Bytes, bridged to `Data`.
public typealias CFData = NSData

/// Where Core Foundation gets its memory from. Functions take one and ignore it.
public final class CFAllocator: Sendable {
    fileprivate init() {}
}

/// The usual memory.
public let kCFAllocatorDefault: CFAllocator! = nil

/// No memory: what is given stays the caller's, and is not freed.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()
#endif
