// SPDX-License-Identifier: Apache-2.0

/// Why a chip did not do what it was asked to. Nothing of a secret is in it.
package enum ChipError: Error, Equatable, Sendable {
    /// It can't be reached: no device or socket of that name, no right to use it, or the other end is gone. The error number of the system.
    case away(Int32)
    /// It did not answer in time, or wanted the command again for all of that time.
    case silent
    /// What came back is no answer of a chip, or not of the chip that the session is with; the message says what is wrong with it.
    case garbage(String)
    /// Another chip than the one that the secret was sealed to.
    case otherChip
    /// The same chip, but what was sealed to it was made worthless: it was cleared.
    case cleared
    /// The measurements (PCRs) that the secret is bound to are others now.
    case otherMeasurements
    /// The authorisation of what was asked for is another one; the chip counted the try.
    case wrongAuthorization
    /// The chip waits, since there were too many wrong tries.
    case lockedOut
    /// All places of the chip for objects or sessions are taken, also after what could be freed was.
    case full
    /// The chip knows its parent key, but what it was given is not what it sealed.
    case damagedBlob
    /// The counter is above what the secret was sealed for: a newer one took its place.
    case superseded
    /// The chip has no counter of that name: it was removed.
    case counterGone
    /// What has the counter's number is not that counter, or has another authorisation.
    case counterReplaced
    /// The chip's own memory has no room for a counter.
    case noRoomForCounter
    /// Any other answer: the chip's response code.
    case refused(UInt32)

    /// Whether the chip refused an authorisation, of whatever it was.
    var isWrongAuthorization: Bool {
        guard case .refused(let code) = self, code & 0x80 != 0 else { return false }
        return [ChipCode.wrongAuthorization, ChipCode.wrongHierarchyAuthorization].contains(code & 0xBF)
    }

    /// Whether there is nothing of the number that was asked for.
    var isNoSuchHandle: Bool {
        guard case .refused(let code) = self, code & 0x80 != 0 else { return false }
        return code & 0xBF == ChipCode.noSuchHandle
    }

    /// The meaning of a response code.
    init(code: UInt32) {
        // Errors of the first format name a handle, session or parameter in other bits.
        let number = code & 0x80 != 0 ? code & 0xBF : code
        self =
            switch number {
            case ChipCode.policyFailed where code & 0x80 != 0: .otherMeasurements
            case ChipCode.integrity where code & 0x80 != 0: .damagedBlob
            case ChipCode.lockout: .lockedOut
            case ChipCode.noRoomForIndex: .noRoomForCounter
            case _ where ChipCode.isFull(code): .full
            default: .refused(code)
            }
    }
}
