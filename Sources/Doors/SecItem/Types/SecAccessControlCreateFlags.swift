// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// What reading an item's secret, or using a key, asks for besides its protection.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// A set of these bits; unknown ones are kept.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// The person is there: passcode or biometry.
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
