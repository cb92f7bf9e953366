// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// On Apple's systems an NSString and a String are the same key of a dictionary with AnyHashable keys. On other systems
// they are not, and `(result as? [AnyHashable: Any])?[kSecAttrLabel]` finds nothing. If Foundation adds this
// conformance one day, the compiler reports it here, and this file can go.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The string as the `String` that an `AnyHashable` would contain.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
#endif
