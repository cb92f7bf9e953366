// SPDX-License-Identifier: Apache-2.0

package import Chips
import SecretMemory

/// The dictionary-attack lockout of the TPM that holds a home's device secret. It counts wrong passcodes if they are
/// bound to the TPM.
extension Home {
    /// The TPM's own report of how it counts; nil if no TPM holds the device secret. Errors: those of the TPM.
    package func lockout() throws(DataProtectionError) -> ChipLockout? {
        try withChip { way, _ in try way.lockout() }
    }

    /// Sets an authorization for the lockout, and its usual parameters: 32 attempts, one restored every 10 minutes.
    /// `code`: the code that the user was shown.
    ///
    /// Errors: `.notAvailable` (no TPM holds the device secret, or its lockout has an authorization), those of the TPM.
    package func guardLockout(with code: RecoveryCode) throws(DataProtectionError) {
        let done: Void? = try withChip { way, identity in
            if try way.lockout().isGuarded { throw Self.guarded(way) }
            try way.guardLockout(try code.letters(), of: identity)
        }
        guard done != nil else { throw Self.noChip }
    }

    /// Resets the TPM's count of wrong attempts. `code`: nil if the lockout has no authorization.
    ///
    /// Errors: as above; `.wrongPasscode` (of the lockout; after it the TPM accepts no reset for a day).
    package func resetLockout(with code: RecoveryCode?) throws(DataProtectionError) {
        let done: Void? = try withChip { way, identity in
            do { try way.resetLockout(try code?.letters(), of: identity) } catch let error as ChipError {
                switch error {
                case .wrongAuthorization:
                    throw DataProtectionError(
                        .wrongPasscode,
                        "that is not the authorisation of the chip's lockout; the chip takes none for a while now, \(ChipLockout.usual.ownSeconds / 3600) hours where zamok set it",
                        cause: error)
                case .lockedOut:
                    throw DataProtectionError(
                        .chipWaits,
                        "the chip \(way) takes no authorisation of its lockout now, since a wrong one was given; it takes one again after \(ChipLockout.usual.ownSeconds / 3600) hours where zamok set it",
                        cause: error)
                default: throw error
                }
            }
        }
        guard done != nil else { throw Self.noChip }
    }

    /// Throws unless an authorization can be set for the lockout. Errors: as `guardLockout`.
    package func checkLockoutIsFree() throws(DataProtectionError) {
        let done: Void? = try withChip { way, _ in
            if try way.lockout().isGuarded { throw Self.guarded(way) }
        }
        guard done != nil else { throw Self.noChip }
    }

    private func withChip<R>(_ body: (ChipWay, ChipIdentity) throws -> R) throws(DataProtectionError) -> R? {
        do {
            let file = keybag.place.deviceSecret
            guard case .chip(let named, let sealed) = try file.record()?.form else { return nil }
            let way = file.way ?? named
            do { return try body(way, sealed.identity) } catch let error as ChipError {
                throw DataProtectionError(error, way)
            }
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    private static var noChip: DataProtectionError {
        DataProtectionError(
            .notAvailable, "no chip has the device secret of this home; move it there first: zamok device tpm")
    }

    private static func guarded(_ way: ChipWay) -> DataProtectionError {
        DataProtectionError(
            .notAvailable,
            "the lockout of the chip \(way) has an authorisation already: whoever set it can undo the count of wrong tries, and nobody else"
        )
    }
}
