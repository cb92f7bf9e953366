// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// A cryptographic key.
public final class SecKey: NSObject, Sendable {
    override init() {}
}

/// A certificate together with its private key.
public final class SecIdentity: NSObject, Sendable {
    override init() {}
}

/// The evaluation of a chain of certificates.
public final class SecTrust: NSObject, Sendable {
    override init() {}
}

/// A policy that a certificate may be fit for.
public final class SecPolicy: NSObject, Sendable {
    override init() {}
}
#endif
