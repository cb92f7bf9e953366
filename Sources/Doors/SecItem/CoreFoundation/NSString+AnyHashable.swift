// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

// On Apple's systems an NSString and a String are one key of a dictionary with AnyHashable keys. Away from them they
// are not, and `(result as? [AnyHashable: Any])?[kSecAttrLabel]` finds nothing. If Foundation should make this
// conformance one day, the compiler says so here, and this file goes.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The string as a `String` would stand in an `AnyHashable`.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
#endif
