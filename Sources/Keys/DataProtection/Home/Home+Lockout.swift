// SPDX-License-Identifier: Apache-2.0

package import Chips
import SecretMemory

/// The lockout of the chip that has a home's device secret: it counts wrong passcodes where they are bound to the chip.
extension Home {
    /// How the chip counts, as it says itself; nil: no chip has the device secret. Errors: those of the chip.
    package func lockout() throws(DataProtectionError) -> ChipLockout? {
        try withChip { way, _ in try way.lockout() }
    }

    /// Gives the lockout an authorisation, and lets it count as usual: 32 tries, one given back every 10 minutes. `code`: what a person was shown.
    ///
    /// Errors: `.notAvailable` (no chip has the device secret, or its lockout has an authorisation), those of the chip.
    package func guardLockout(with code: RecoveryCode) throws(DataProtectionError) {
        let done: Void? = try withChip { way, identity in
            if try way.lockout().isGuarded { throw Self.guarded(way) }
            try way.guardLockout(try code.letters(), of: identity)
        }
        guard done != nil else { throw Self.noChip }
    }

    /// Undoes the chip's count of wrong tries. `code`: nil where the lockout has no authorisation.
    ///
    /// Errors: as above; `.wrongPasscode` (of the lockout, after which the chip lets nobody undo the count for a day).
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

    /// Throws unless the lockout can be given an authorisation. Errors: as `guardLockout`.
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
