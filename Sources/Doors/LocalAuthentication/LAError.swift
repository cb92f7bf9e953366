// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The domain of `LAError` as an `NSError`.
public let LAErrorDomain: String = "com.apple.LocalAuthentication"

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
        /// Nobody can be asked: forbidden by the app, or no way to ask.
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
#endif
