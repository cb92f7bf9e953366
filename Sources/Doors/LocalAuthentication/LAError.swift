// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The domain of `LAError` as an `NSError`.
public let LAErrorDomain: String = "com.apple.LocalAuthentication"

/// The same, by its older name.
public let kLAErrorDomain: String = LAErrorDomain

/// Why a person was not authenticated.
public struct LAError: Error, CustomNSError, Equatable, Sendable {
    /// The reasons, with Apple's numbers.
    public enum Code: Int, Sendable {
        /// What was entered is wrong.
        case authenticationFailed = -1
        /// The person cancelled.
        case userCancel = -2
        /// The person chose the fallback.
        case userFallback = -3
        /// The system cancelled.
        case systemCancel = -4
        /// No passcode is set.
        case passcodeNotSet = -5
        /// There is no biometry.
        case biometryNotAvailable = -6
        /// No finger or face is enrolled.
        case biometryNotEnrolled = -7
        /// Too many failures of biometry: the passcode is needed.
        case biometryLockout = -8
        /// The app cancelled.
        case appCancel = -9
        /// The context was invalidated before.
        case invalidContext = -10
        /// No companion device is near.
        case companionNotAvailable = -11
        /// Nobody can be asked: the app forbids it, or there is no way to ask.
        case notInteractive = -1004
    }

    /// The reason.
    public let code: Code

    /// An error of this reason.
    public init(_ code: Code) { self.code = code }

    /// What was entered is wrong.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The person cancelled.
    public static var userCancel: Code { .userCancel }
    /// The person chose the fallback.
    public static var userFallback: Code { .userFallback }
    /// The system cancelled.
    public static var systemCancel: Code { .systemCancel }
    /// No passcode is set.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// There is no biometry.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// No finger or face is enrolled.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Too many failures of biometry.
    public static var biometryLockout: Code { .biometryLockout }
    /// The app cancelled.
    public static var appCancel: Code { .appCancel }
    /// The context was invalidated before.
    public static var invalidContext: Code { .invalidContext }
    /// No companion device is near.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// Nobody can be asked.
    public static var notInteractive: Code { .notInteractive }

    /// `LAErrorDomain`.
    public static var errorDomain: String { LAErrorDomain }

    /// Apple's number of the reason.
    public var errorCode: Int { code.rawValue }
}

extension LAError.Code {
    /// So that `catch LAError.userCancel` works.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? LAError)?.code == code }
}

// The codes as numbers, for code that compares those.

/// What was entered is wrong.
public let kLAErrorAuthenticationFailed: Int32 = -1

/// The person cancelled.
public let kLAErrorUserCancel: Int32 = -2

/// The person chose the fallback.
public let kLAErrorUserFallback: Int32 = -3

/// The system cancelled.
public let kLAErrorSystemCancel: Int32 = -4

/// No passcode is set.
public let kLAErrorPasscodeNotSet: Int32 = -5

/// There is no biometry.
public let kLAErrorBiometryNotAvailable: Int32 = -6

/// The older name of `kLAErrorBiometryNotAvailable`.
public let kLAErrorTouchIDNotAvailable: Int32 = -6

/// No finger or face is enrolled.
public let kLAErrorBiometryNotEnrolled: Int32 = -7

/// The older name of `kLAErrorBiometryNotEnrolled`.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7

/// Too many failures of biometry: the passcode is needed.
public let kLAErrorBiometryLockout: Int32 = -8

/// The older name of `kLAErrorBiometryLockout`.
public let kLAErrorTouchIDLockout: Int32 = -8

/// The app cancelled.
public let kLAErrorAppCancel: Int32 = -9

/// The context was invalidated before.
public let kLAErrorInvalidContext: Int32 = -10

/// No companion device is near.
public let kLAErrorCompanionNotAvailable: Int32 = -11

/// The older name of `kLAErrorCompanionNotAvailable`.
public let kLAErrorWatchNotAvailable: Int32 = -11

/// Never answered here: no accessory for biometry is paired.
public let kLAErrorBiometryNotPaired: Int32 = -12

/// Never answered here: the paired accessory is away.
public let kLAErrorBiometryDisconnected: Int32 = -13

/// Never answered here: a view of no size.
public let kLAErrorInvalidDimensions: Int32 = -14

/// Nobody can be asked.
public let kLAErrorNotInteractive: Int32 = -1_004

/// Biometry.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1

/// The passcode of the home.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2

/// A companion device.
public let kLAPolicyDeviceOwnerAuthenticationWithCompanion: Int32 = 3

/// The older name of `kLAPolicyDeviceOwnerAuthenticationWithCompanion`.
public let kLAPolicyDeviceOwnerAuthenticationWithWatch: Int32 = 3

/// Biometry or a companion device.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion: Int32 = 4

/// The older name of `kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion`.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch: Int32 = 4
#endif
