// SPDX-License-Identifier: Apache-2.0

import Chips
import Sealing
package import SecretMemory

/// A passcode that the chip counts (Documentation/Formats/Chip.md).
extension Keybag {
    /// Binds the passcode to the chip that has the device secret: from then on it opens nothing without a value that the chip gives for the right passcode alone. Draws new class keys, since
    /// whoever has a copy of this home has the ones from before without the chip. One KDF, through the attempt limiter.
    ///
    /// Errors: `.notAvailable` (no chip has the device secret, or the recovery code was not typed back), those of the chip, and what `changePasscode` throws.
    package func bindPasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        try door {
            let passcode = try Passcode(passcode)
            try makeRoomForSlots()
            try changing { opened in
                let right = try answer(passcode, opened)
                let made = try PasscodeBinding.make(
                    for: right.material.stretched, in: place, after: try opened.presentBinding)
                try rekey(
                    opened, right.root, to: Lock(opened.file.stretching, made.binding.encoded), rotating: true
                ) { try made.material.root($0, isBound: true) }
            }
        }
        settleRetiredKeys()
    }

    /// The passcode counts without the chip from then on, as before it was bound. One KDF, through the attempt limiter, and the chip, unless this process was given the recovery code.
    /// Errors: as `changePasscode`.
    package func unbindPasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        try door {
            let passcode = try Passcode(passcode)
            try changing { opened in
                let right = try answer(passcode, opened)
                guard opened.file.isBound else { return }
                try rekey(opened, right.root, to: Lock(opened.file.stretching), rotating: false) {
                    try right.material.root($0, isBound: false)
                }
            }
        }
    }

    /// The chip's value for the right passcode; nil: the passcode is bound to none. A wrong one was counted by the chip.
    func value(_ file: KeybagFile, _ stretched: Secret) throws -> Secret? {
        try file.passcodeBinding?.value(for: stretched, place.deviceSecret, number: file.deviceSecretNumber)
    }

    /// What binds the passcode once the keybag has followed the device secret: the chip that has it, and the recovery code of now; nothing where that chip has it no more.
    func followedBinding(
        _ opened: borrowing KeybagPlace.Opened, _ material: PasscodeMaterial
    ) throws -> (encoded: [UInt8], material: PasscodeMaterial) {
        let file = opened.file
        guard let binding = try file.passcodeBinding, let value = material.value,
            let record = try place.deviceSecret.record(),
            case .chip(_, let device) = record.form, device.identity == binding.part.sealed.identity,
            let recovery = record.recovery
        else { return ([], material) }
        // The authorisation of the counter came of the device secret from before.
        if opened.isBehind, binding.limit != nil || record.counter != nil {
            let made = try PasscodeBinding.make(for: material.stretched, in: place)
            return (made.binding.encoded, made.material)
        }
        if recovery.publicKey == binding.recovery.publicKey { return (file.binding, material) }
        return (try binding.resealed(value, to: recovery.publicKey).encoded, material)
    }

    /// Whether a new recovery code was made since the passcode was bound.
    func isBindingBehind(_ file: KeybagFile) throws -> Bool {
        guard let binding = try file.passcodeBinding, let recovery = try place.deviceSecret.record()?.recovery else {
            return false
        }
        return recovery.publicKey != binding.recovery.publicKey
    }

    /// Whether this process was given a recovery code, and the passcode's value is sealed to the one from before.
    package func needsFormerRecoveryCode() throws(DataProtectionError) -> Bool {
        try door {
            guard !ChipSecrets.recoveryCodes.isEmpty, let binding = try view().file.passcodeBinding else {
                return false
            }
            return try binding.recoveryCode() == nil
        }
    }

    /// How a passcode opens a keybag: the KDF, and what binds it to a chip.
    struct Lock {
        let stretching: KeybagFile.Stretching?
        let binding: [UInt8]

        init(_ stretching: KeybagFile.Stretching?, _ binding: [UInt8] = []) {
            self.stretching = stretching
            self.binding = binding
        }
    }
}

extension KeybagPlace.Opened {
    /// The binding whose counter a next one goes on with: not one under a device secret from before, which the counter's authorisation came of.
    var presentBinding: PasscodeBinding? { get throws { isBehind ? nil : try file.passcodeBinding } }
}

extension DataProtectionError {
    /// What a person reads when the chip that counts passcodes has no answer. Nothing was said about the passcode. `bound`: the way over which the passcode was bound.
    init(passcode error: ChipError, _ way: ChipWay, boundOver bound: ChipWay? = nil) {
        let chip = "the chip \(way)"
        let remedy =
            ChipSecrets.recoveryCodes.isEmpty
            ? "with the recovery code: zamok passcode unbind --recovery"
            : "its part is sealed to a recovery code from before, which is none of those that were given; give the one of now and that one: --code-file NEW --code-file OLD"
        switch error {
        // The chip of the device secret may be another one.
        case .otherChip where bound != nil:
            let elsewhere = bound.flatMap {
                $0 == way ? nil : "; that one was reached over \($0): name it, or unset \(ChipWay.variable)"
            }
            self.init(
                .otherChip,
                "\(chip) is not the one that the passcode is bound to; nothing was changed or counted\(elsewhere ?? ""); \(remedy)",
                cause: error)
        case .lockedOut:
            self.init(
                .chipWaits,
                "\(chip) waits, after wrong passcodes or cuts of power; this says nothing about the passcode, and wasn't counted; \(Self.wait(way)); zamok device lockout --reset ends it",
                cause: error)
        case .superseded:
            self.init(
                .rolledBack,
                "the keybag is from before a change of the passcode, and the chip \(way) has forgotten that one; this says nothing about what was typed, and wasn't counted; put the present keybag back; with the recovery code: zamok passcode unbind --recovery",
                cause: error)
        case .counterGone, .counterReplaced:
            let what =
                error == .counterGone
                ? "the counter that the passcode is bound to is not in the chip \(way) any more"
                : "somebody put another counter in the place of the one in the chip \(way) that the passcode is bound to"
            self.init(
                error == .counterGone ? .counterGone : .counterReplaced,
                "\(what); nothing was changed or counted; with the recovery code: zamok passcode unbind --recovery",
                cause: error)
        case .damagedBlob:
            self.init(
                .damaged, "what binds the passcode to \(chip) is damaged; put the keybag back from a backup",
                cause: error)
        default:
            // The device secret may be elsewhere.
            let told = DataProtectionError(error, way, hasSecret: false)
            // A chip that is only busy needs no recovery.
            let remedy = error == .full ? "" : "; \(remedy)"
            self.init(
                told.code, "\(told.message); the passcode is bound to it, and wasn't counted\(remedy)", cause: error)
        }
    }

    private static func wait(_ way: ChipWay) -> String {
        guard let lockout = try? way.lockout() else { return "try again later" }
        return "it takes one more try every \(lockout.seconds) seconds"
    }
}
