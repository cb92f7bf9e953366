// SPDX-License-Identifier: Apache-2.0

import SecretMemory
package import TPMs

/// The dictionary-attack lockout of the TPM that holds a home's device secret. It counts wrong passcodes if they are
/// bound to the TPM.
extension Home {
    /// The TPM's own report of how it counts; nil if no TPM holds the device secret. Errors: those of the TPM.
    package func lockout() throws(DataProtectionError) -> TPMLockout? {
        try withTPM { way, _ in try way.lockout() }
    }

    /// Sets an authorization for the lockout, and its usual parameters: 32 attempts, one restored every 10 minutes.
    /// `code`: the code that the user was shown.
    ///
    /// Errors: `.notAvailable` (no TPM holds the device secret, or its lockout has an authorization), those of the TPM.
    package func guardLockout(with code: RecoveryCode) throws(DataProtectionError) {
        let done: Void? = try withTPM { way, identity in
            if try way.lockout().isGuarded { throw Self.guarded(way) }
            try way.guardLockout(try code.letters(), of: identity)
        }
        guard done != nil else { throw Self.noTPM }
    }

    /// Resets the TPM's count of wrong attempts. `code`: nil if the lockout has no authorization.
    ///
    /// Errors: as above; `.wrongPasscode` (of the lockout; after it the TPM accepts no reset for a day).
    package func resetLockout(with code: RecoveryCode?) throws(DataProtectionError) {
        let done: Void? = try withTPM { way, identity in
            do { try way.resetLockout(try code?.letters(), of: identity) } catch let error as TPMError {
                switch error {
                case .wrongAuthorization:
                    throw DataProtectionError(
                        .wrongPasscode,
                        "that is not the authorisation of the TPM's lockout; the TPM takes none for a while now, \(TPMLockout.usual.ownSeconds / 3600) hours where zamok set it",
                        cause: error)
                case .lockedOut:
                    throw DataProtectionError(
                        .tpmLockedOut,
                        "the TPM \(way) takes no authorisation of its lockout now, since a wrong one was given; it takes one again after \(TPMLockout.usual.ownSeconds / 3600) hours where zamok set it",
                        cause: error)
                default: throw error
                }
            }
        }
        guard done != nil else { throw Self.noTPM }
    }

    /// Throws unless an authorization can be set for the lockout. Errors: as `guardLockout`.
    package func checkLockoutIsFree() throws(DataProtectionError) {
        let done: Void? = try withTPM { way, _ in
            if try way.lockout().isGuarded { throw Self.guarded(way) }
        }
        guard done != nil else { throw Self.noTPM }
    }

    private func withTPM<R>(_ body: (TPMAddress, TPMIdentity) throws -> R) throws(DataProtectionError) -> R? {
        do {
            let file = keybag.place.deviceSecret
            guard case .tpm(let named, let sealed) = try file.record()?.form else { return nil }
            let way = file.way ?? named
            do { return try body(way, sealed.identity) } catch let error as TPMError {
                throw DataProtectionError(error, way)
            }
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    private static var noTPM: DataProtectionError {
        DataProtectionError(
            .notAvailable, "no TPM has the device secret of this home; move it there first: zamok device tpm")
    }

    private static func guarded(_ way: TPMAddress) -> DataProtectionError {
        DataProtectionError(
            .notAvailable,
            "the lockout of the TPM \(way) has an authorisation already: only its owner can undo the count of wrong tries"
        )
    }
}
