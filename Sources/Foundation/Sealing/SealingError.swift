// SPDX-License-Identifier: Apache-2.0

/// Why sealing or opening failed. `cannotOpen` has no details on purpose: no oracle.
@usableFromInline
package enum SealingError: Error, Equatable {
    /// Wrong key, changed bytes or other associated data.
    case cannotOpen
    /// swift-crypto refused to seal.
    case cannotSeal
    /// A key of zeros.
    case zeroKey
    /// Parameters of the KDF outside what is accepted.
    case parametersRefused
    /// The bytes end early, go on too long or break a limit.
    case malformed
}

/// scrypt did not complete, which says nothing about the passphrase.
package struct StretchingFailure: Error {
    let cause: any Error
}
