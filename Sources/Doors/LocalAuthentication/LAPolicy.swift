// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// Where a function leaves its error; nil when the caller doesn't want it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// What a person is asked for.
public enum LAPolicy: Int, Sendable {
    /// Biometry; there is none away from Apple's systems.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// The passcode of the home.
    case deviceOwnerAuthentication = 2
}

/// Which biometry there is.
public enum LABiometryType: Int, Sendable {
    /// None: always, away from Apple's systems.
    case none = 0
    /// A finger.
    case touchID = 1
    /// A face.
    case faceID = 2
    /// An iris.
    case opticID = 4
}

/// What an app can tell a context, so that nobody is asked for it.
public enum LACredentialType: Int, Sendable {
    /// The password of an item with the flag `applicationPassword`.
    case applicationPassword = 0
    /// The PIN of a smart card.
    case smartCardPIN = -3
}
#endif
