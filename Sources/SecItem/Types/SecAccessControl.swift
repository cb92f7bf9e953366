// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
import KeychainStore

/// When an item is readable, and what reading it asks for.
public final class SecAccessControl: NSObject, Sendable {
    let protection: Accessibility
    /// nil: only a protection, as it is made for the attributes of a found item.
    let flags: SecAccessControlCreateFlags?

    init(protection: Accessibility, flags: SecAccessControlCreateFlags? = nil) {
        self.protection = protection
        self.flags = flags
    }

    /// Whether something is asked for besides the protection.
    var hasConstraints: Bool { flags.map { !$0.isDisjoint(with: .constraints) } ?? false }

    /// Whether `object` has the same protection and constraints.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecAccessControl else { return false }
        return protection == other.protection && flags == other.flags
    }

    /// Equal ones have equal hashes.
    public override var hash: Int { protection.hashValue }

    /// For people who debug.
    public override var description: String { "<SecAccessControl: \(protection.rawValue)>" }
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
    let conflict = flags.conflict
    if conflict == nil, case .text(let code) = ReadValue(protection), let value = Accessibility(rawValue: code) {
        return SecAccessControl(protection: value, flags: flags)
    }
    unsafe error.fail(errSecParam, conflict ?? "the protection is none of the kSecAttrAccessible values")
    return nil
}

extension SecAccessControlCreateFlags {
    /// Which flags exclude each other, in words; nil when none do.
    fileprivate var conflict: String? {
        if isSuperset(of: [.or, .and]) { return "only one of or and and can be set" }
        if isSuperset(of: [.biometryAny, .biometryCurrentSet]) { return "only one kind of biometry can be set" }
        let companions: Self = [.userPresence, .applicationPassword, .privateKeyUsage]
        if contains(.userPresence), !subtracting(companions).isEmpty {
            return "userPresence goes only with applicationPassword and privateKeyUsage"
        }
        return nil
    }
}
#endif
