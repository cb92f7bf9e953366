// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// When an item is readable, and what reading it asks for.
public final class SecAccessControl: NSObject, Sendable {
    /// One of the `kSecAttrAccessible` values.
    package let protection: String
    /// nil: only a protection, as it is made for the attributes of a found item.
    package let flags: SecAccessControlCreateFlags?

    package init(protection: String, flags: SecAccessControlCreateFlags? = nil) {
        self.protection = protection
        self.flags = flags
    }

    /// Whether `object` has the same protection and constraints.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecAccessControl else { return false }
        return protection == other.protection && flags == other.flags
    }

    /// Equal ones have equal hashes.
    public override var hash: Int { protection.hashValue }

    /// For people who debug.
    public override var description: String { "<SecAccessControl: \(protection)>" }
}

/// An access control with a protection (one of the `kSecAttrAccessible` values) and constraints.
///
/// nil, with error -50 in `NSOSStatusErrorDomain`, when the protection is none of them, and when flags exclude each
/// other: `or` with `and`, `biometryAny` with `biometryCurrentSet`, `userPresence` with anything but
/// `applicationPassword` and `privateKeyUsage`.
///
/// - Parameters:
///   - allocator: Not looked at.
///   - error: Set when nil is returned; the caller takes it over.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    unsafe CurrentEngine.value(error)?.accessControl(protection, flags, error)
}
#endif
