// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The domain of `LAError` as an `NSError`.
public let LAErrorDomain: String = "com.apple.LocalAuthentication"

/// The older name of `LAErrorDomain`.
public let kLAErrorDomain: String = LAErrorDomain

/// The error of an authentication that failed.
public struct LAError: Error, CustomNSError, Equatable, Sendable {
    /// The reasons, with Apple's raw values.
    public enum Code: Int, Sendable {
        /// The entered passcode is wrong, or there were too many attempts.
        case authenticationFailed = -1
        /// The user cancelled.
        case userCancel = -2
        /// The user chose the fallback.
        case userFallback = -3
        /// The system cancelled.
        case systemCancel = -4
        /// No passcode is set.
        case passcodeNotSet = -5
        /// There is no biometry.
        case biometryNotAvailable = -6
        /// No finger or face is enrolled.
        case biometryNotEnrolled = -7
        /// Biometry failed too often: the passcode is needed.
        case biometryLockout = -8
        /// The app cancelled.
        case appCancel = -9
        /// The context is invalidated.
        case invalidContext = -10
        /// No companion device is available.
        case companionNotAvailable = -11
        /// The user can't be prompted: the app forbids it, or there is no prompter.
        case notInteractive = -1004
    }

    /// The reason.
    public let code: Code

    /// Creates an error with this reason.
    public init(_ code: Code) { self.code = code }

    /// The entered passcode is wrong.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The user cancelled.
    public static var userCancel: Code { .userCancel }
    /// The user chose the fallback.
    public static var userFallback: Code { .userFallback }
    /// The system cancelled.
    public static var systemCancel: Code { .systemCancel }
    /// No passcode is set.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// There is no biometry.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// No finger or face is enrolled.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Biometry failed too often.
    public static var biometryLockout: Code { .biometryLockout }
    /// The app cancelled.
    public static var appCancel: Code { .appCancel }
    /// The context is invalidated.
    public static var invalidContext: Code { .invalidContext }
    /// No companion device is available.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// The user can't be prompted.
    public static var notInteractive: Code { .notInteractive }

    /// `LAErrorDomain`.
    public static var errorDomain: String { LAErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }
}

extension LAError.Code {
    /// Matches an error by its code, for `catch LAError.userCancel`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? LAError)?.code == code }
}

// The codes as integers, for code that compares those.

/// The entered passcode is wrong.
public let kLAErrorAuthenticationFailed: Int32 = -1

/// The user cancelled.
public let kLAErrorUserCancel: Int32 = -2

/// The user chose the fallback.
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

/// Biometry failed too often: the passcode is needed.
public let kLAErrorBiometryLockout: Int32 = -8

/// The older name of `kLAErrorBiometryLockout`.
public let kLAErrorTouchIDLockout: Int32 = -8

/// The app cancelled.
public let kLAErrorAppCancel: Int32 = -9

/// The context is invalidated.
public let kLAErrorInvalidContext: Int32 = -10

/// No companion device is available.
public let kLAErrorCompanionNotAvailable: Int32 = -11

/// The older name of `kLAErrorCompanionNotAvailable`.
public let kLAErrorWatchNotAvailable: Int32 = -11

/// Never returned here: no accessory for biometry is paired.
public let kLAErrorBiometryNotPaired: Int32 = -12

/// Never returned here: the paired accessory is not connected.
public let kLAErrorBiometryDisconnected: Int32 = -13

/// Never returned here: a view without a size.
public let kLAErrorInvalidDimensions: Int32 = -14

/// The user can't be prompted.
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
