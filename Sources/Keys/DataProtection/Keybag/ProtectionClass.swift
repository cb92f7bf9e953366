// SPDX-License-Identifier: Apache-2.0

/// When the key of a protection class is usable (Apple Platform Security, "Data Protection classes").
public enum ProtectionClass: UInt8, Hashable, Sendable, CaseIterable {
    /// Usable while unlocked only.
    case complete = 1
    /// Sealing is possible while locked, opening only while unlocked.
    case completeUnlessOpen = 2
    /// Usable from the first unlock after the machine started.
    case completeUntilFirstUserAuthentication = 3
    /// Always usable: the key is wrapped under a root that derives from the device secret and the epoch alone.
    case none = 4
    /// Like `complete`, but the key exists only while a passcode is set. For keychain items.
    case whenPasscodeSet = 5
}

/// A protection class with its this-device-only flag; each has a class key.
package struct KeyClass: Hashable, Sendable {
    package let protection: ProtectionClass
    /// Whether its items are never part of an export. True for `whenPasscodeSet`, always.
    package let isThisDeviceOnly: Bool

    package init(_ protection: ProtectionClass, thisDeviceOnly: Bool = false) {
        self.protection = protection
        self.isThisDeviceOnly = thisDeviceOnly || protection == .whenPasscodeSet
    }

    /// The byte in files: the protection class, bit 7 set for this-device-only.
    package var code: UInt8 { protection.rawValue | (isThisDeviceOnly ? 0x80 : 0) }

    package init?(code: UInt8) {
        guard let protection = ProtectionClass(rawValue: code & 0x7F) else { return nil }
        self.init(protection, thisDeviceOnly: code & 0x80 != 0)
        if self.code != code { return nil }
    }
}

/// Which metadata key seals the attributes of a row: one for class none, one for all others.
package enum MetadataDomain: UInt8, Hashable, Sendable, CaseIterable {
    /// Always usable.
    case none = 0
    /// Usable from the first unlock on.
    case afterFirstUnlock = 1

    package init(_ keyClass: KeyClass) {
        self = keyClass.protection == .none ? .none : .afterFirstUnlock
    }
}
