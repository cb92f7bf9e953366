// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Sealing

/// When an item's secret is readable; the raw value is Apple's code.
public enum Accessibility: String, Hashable, Sendable, CaseIterable {
    case whenUnlocked = "ak"
    case afterFirstUnlock = "ck"
    case always = "dk"
    case whenUnlockedThisDeviceOnly = "aku"
    case afterFirstUnlockThisDeviceOnly = "cku"
    case alwaysThisDeviceOnly = "dku"
    case whenPasscodeSetThisDeviceOnly = "akpu"

    /// The class whose key wraps the item's row key.
    package var keyClass: KeyClass {
        switch self {
        case .whenUnlocked: KeyClass(.complete)
        case .afterFirstUnlock: KeyClass(.completeUntilFirstUserAuthentication)
        case .always: KeyClass(.none)
        case .whenUnlockedThisDeviceOnly: KeyClass(.complete, thisDeviceOnly: true)
        case .afterFirstUnlockThisDeviceOnly: KeyClass(.completeUntilFirstUserAuthentication, thisDeviceOnly: true)
        case .alwaysThisDeviceOnly: KeyClass(.none, thisDeviceOnly: true)
        case .whenPasscodeSetThisDeviceOnly: KeyClass(.whenPasscodeSet)
        }
    }
}

/// Conditions that the user must meet each time an item's secret is read, in addition to its accessibility.
/// The raw value has Apple's bits (`SecAccessControlCreateFlags`).
///
/// All constraints must be met, unless `or` is among them. The application password is always required.
/// Outside Apple's systems there is no biometry and no watch. New items may only have constraints that the passcode and
/// a password can meet.
public struct AccessConstraints: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt64

    /// A set of these bits. Unknown bits are kept.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The user is present, which here means the passcode of the home.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any biometry; there is none here.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// Biometry as it is enrolled now; there is none here.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// The passcode of the home.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A companion device nearby; there is none here.
    public static let companion = Self(rawValue: 1 << 5)
    /// One of the constraints is enough.
    public static let or = Self(rawValue: 1 << 14)
    /// All constraints are needed.
    public static let and = Self(rawValue: 1 << 15)
    /// For keys: using them is subject to the constraints. Not a constraint in itself.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// A password of the item itself.
    public static let applicationPassword = Self(rawValue: 1 << 31)

    private static let passcode: Self = [.userPresence, .devicePasscode]
    private static let absent: Self = [.biometryAny, .biometryCurrentSet, .companion]
    private static let known: Self = [
        .passcode, .absent, .or, .and, .privateKeyUsage, .applicationPassword,
    ]

    /// Whether reading the secret requires the user.
    public var isGuarding: Bool { !isDisjoint(with: [.passcode, .absent, .applicationPassword]) }

    /// The flags that exclude each other, in words; nil if there are none.
    package var conflict: String? {
        if isSuperset(of: [.or, .and]) { return "only one of or and and can be set" }
        if isSuperset(of: [.biometryAny, .biometryCurrentSet]) { return "only one kind of biometry can be set" }
        let companions: Self = [.userPresence, .applicationPassword, .privateKeyUsage]
        if contains(.userPresence), !subtracting(companions).isEmpty {
            return "userPresence goes only with applicationPassword and privateKeyUsage"
        }
        return nil
    }

    /// The layers around the row key that enforce these constraints.
    ///
    /// Errors: `.parameter` (flags that exclude each other, or that this version does not know),
    /// `.authenticationFailed` (constraints that no user can ever meet here).
    func layers() throws(KeychainError) -> RowLayers {
        if let conflict { throw KeychainError(.parameter, conflict) }
        guard isSubset(of: .known) else {
            throw KeychainError(.parameter, "the access control has a flag that this version does not know")
        }
        let askedForPasscode = !isDisjoint(with: .passcode)
        guard isDisjoint(with: .absent) || (contains(.or) && askedForPasscode) else {
            throw KeychainError(
                .authenticationFailed,
                "there is no biometry and no companion here, so the item could not be read; use userPresence"
            )
        }
        var layers: RowLayers = []
        if askedForPasscode { layers.insert(.accessControl) }
        if contains(.applicationPassword) { layers.insert(.applicationPassword) }
        return layers
    }
}

extension AccessConstraints {
    private static let version: UInt8 = 1

    /// The attribute `accc` (Documentation/Formats/Keychain.md, "Access control").
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.integer(Self.version)
        writer.integer(rawValue)
        return writer.bytes
    }

    /// Nil if the bytes do not have this form.
    package init?(encoded bytes: [UInt8]) {
        guard bytes.count == 9, bytes.first == Self.version else { return nil }
        self.init(rawValue: bytes.dropFirst().reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension Attributes {
    /// Empty if there is no access control, or if its bytes are malformed (`checkedAccessibility` and `OpenRow`
    /// refuse those).
    package var constraints: AccessConstraints {
        get {
            guard case .data(let bytes) = self[.accessControl] else { return [] }
            return AccessConstraints(encoded: bytes) ?? []
        }
        set { self[.accessControl] = .data(newValue.encoded) }
    }

    /// Removes an access control without constraints, which counts as none.
    func withoutEmptyAccessControl() -> Attributes {
        guard case .data(let bytes) = self[.accessControl], AccessConstraints(encoded: bytes) == [] else { return self }
        return filter { $0.key != .accessControl }
    }

    /// The layers around the row key of an item with these attributes. Errors: `.parameter`, `.authenticationFailed`.
    func layers() throws(KeychainError) -> RowLayers {
        guard let control = self[.accessControl] else { return [] }
        guard case .data(let bytes) = control, let constraints = AccessConstraints(encoded: bytes) else {
            throw KeychainError(.parameter, "the access control is not one of this version")
        }
        return try constraints.layers()
    }
}
