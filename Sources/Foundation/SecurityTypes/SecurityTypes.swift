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
    private init() {}
}

/// The usual memory.
public let kCFAllocatorDefault: CFAllocator! = nil
#endif
