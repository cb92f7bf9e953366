// SPDX-License-Identifier: Apache-2.0

/// Why a TPM operation failed. Contains no secret.
package enum TPMError: Error, Equatable, Sendable {
    /// The TPM is unreachable: no device or socket at that path, no permission, or the connection is closed. The value
    /// is `errno`.
    case away(Int32)
    /// No response in time, or the TPM asked for the command again for all of that time.
    case silent
    /// The response is malformed, or is not from the TPM of the session. The message says what is wrong.
    case garbage(String)
    /// This TPM is not the one that the secret is sealed to.
    case otherTPM
    /// The TPM was cleared, which invalidated everything sealed to it.
    case cleared
    /// The PCR values differ from those that the secret is sealed to.
    case otherMeasurements
    /// The authorization is wrong; the TPM counted the failed attempt.
    case wrongAuthorization
    /// The TPM is in dictionary-attack lockout after too many wrong authorizations.
    case lockedOut
    /// The TPM has no memory for objects or sessions, even after flushing what may be flushed.
    case full
    /// The TPM has the parent key, but did not seal this blob.
    case damagedBlob
    /// The counter is above the value that the secret is sealed to: a newer secret replaced this one.
    case superseded
    /// The TPM has no counter at this index: it was removed.
    case counterGone
    /// The index is not this counter, or has another authorization.
    case counterReplaced
    /// The TPM's NV memory has no room for a counter.
    case noRoomForCounter
    /// Any other TPM response code.
    case refused(UInt32)

    /// Whether the TPM refused an authorization, of any entity.
    var isWrongAuthorization: Bool {
        guard case .refused(let code) = self, code & 0x80 != 0 else { return false }
        return [TPMCode.wrongAuthorization, TPMCode.wrongHierarchyAuthorization].contains(code & 0xBF)
    }

    /// Whether the requested handle does not exist.
    var isNoSuchHandle: Bool {
        guard case .refused(let code) = self, code & 0x80 != 0 else { return false }
        return code & 0xBF == TPMCode.noSuchHandle
    }

    /// Maps a response code to an error.
    init(code: UInt32) {
        // Format-one codes name a handle, session or parameter in the other bits.
        let number = code & 0x80 != 0 ? code & 0xBF : code
        self =
            switch number {
            case TPMCode.policyFailed where code & 0x80 != 0: .otherMeasurements
            case TPMCode.integrity where code & 0x80 != 0: .damagedBlob
            case TPMCode.lockout: .lockedOut
            case TPMCode.noRoomForIndex: .noRoomForCounter
            case _ where TPMCode.isFull(code): .full
            default: .refused(code)
            }
    }
}
