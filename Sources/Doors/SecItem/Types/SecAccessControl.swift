// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// When an item is readable, and what the person is asked for it.
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

    /// Equal ones have equal hashes.
    public override var hash: Int { protection.hashValue }

    /// For people who debug.
    public override var description: String { "<SecAccessControl: \(protection)>" }
}

/// An access control with a protection (one of the `kSecAttrAccessible` values) and constraints.
///
/// nil, with error -50 in `NSOSStatusErrorDomain`, when the protection is not one of them, and when flags exclude each
/// other: `or` with `and`, `biometryAny` with `biometryCurrentSet`, `userPresence` with anything but
/// `applicationPassword` and `privateKeyUsage`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - protection: When the item can be read: one of kSecAttrAccessible...
///   - flags: What the person is asked for the secret.
///   - error: Set when nil is returned; the caller owns it.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    unsafe CurrentEngine.value(error)?.accessControl(protection, flags: flags, error: error)
}

/// What the person is asked before an item's secret is read, or a key used, in addition to its protection.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// A set of these bits; unknown ones are kept.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// The person is present: passcode or biometry.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any biometry.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// The older name of `biometryAny`.
    public static let touchIDAny = biometryAny
    /// Biometry as it is enrolled now.
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
    /// All constraints are needed.
    public static let and = Self(rawValue: 1 << 15)
    /// The private key may be used, under the constraints.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// A password of the item itself.
    public static let applicationPassword = Self(rawValue: 1 << 31)
}
#endif
