// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// When an item is readable, and how the user must authenticate for it.
public final class SecAccessControl: NSObject, Sendable {
    /// One of the `kSecAttrAccessible` values.
    package let protection: String
    /// nil: only a protection, as in the attributes of a found item.
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

    /// Equal access controls have equal hashes.
    public override var hash: Int { protection.hashValue }

    /// For debugging.
    public override var description: String { "<SecAccessControl: \(protection)>" }
}

/// Makes an access control with a protection (one of the `kSecAttrAccessible` values) and constraints.
///
/// Returns nil, with error -50 in `NSOSStatusErrorDomain`, if the protection is not one of them. The same applies if
/// flags exclude each other: `or` with `and`, `biometryAny` with `biometryCurrentSet`, `userPresence` with anything but
/// `applicationPassword` and `privateKeyUsage`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - protection: When the item is readable: one of kSecAttrAccessible...
///   - flags: How the user must authenticate for the secret.
///   - error: Set if nil is returned; the caller owns it.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    unsafe CurrentEngine.value(error)?.accessControl(protection, flags: flags, error: error)
}

/// How the user must authenticate before an item's secret is read or a key is used, in addition to its protection.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// A set of these bits; unknown ones are kept.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// The user's presence: passcode or biometry.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any biometry.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// The older name of `biometryAny`.
    public static let touchIDAny = biometryAny
    /// Biometry as currently enrolled.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// The older name of `biometryCurrentSet`.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The passcode.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A watch nearby.
    public static let watch = Self(rawValue: 1 << 5)
    /// A companion device nearby; the newer name of `watch`.
    public static let companion = watch
    /// One of the constraints is enough.
    public static let or = Self(rawValue: 1 << 14)
    /// All constraints are required.
    public static let and = Self(rawValue: 1 << 15)
    /// The private key may be used, under the constraints.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// A password for the item itself.
    public static let applicationPassword = Self(rawValue: 1 << 31)
}
#endif
