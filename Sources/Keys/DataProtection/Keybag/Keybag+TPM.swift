// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory
import TPMs

/// A passcode whose attempts the TPM counts (`Documentation/Formats/TPMObjects.md`).
extension Keybag {
    /// Binds the passcode to the TPM that has the device secret. From then on the passcode opens nothing without a
    /// value that the TPM releases for the right passcode alone. Draws new class keys, since any copy of this home has
    /// the earlier ones without the TPM. One KDF, through the attempt limiter.
    ///
    /// Errors: `.notAvailable` (no TPM has the device secret, or the recovery code was not typed back), those of the
    /// TPM, and what `changePasscode` throws.
    package func bindPasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        try mapping {
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

    /// Unbinds the passcode from the TPM: from then on it opens the keybag without one, as before it was bound.
    /// One KDF, through the attempt limiter. Uses the TPM unless this process was given the recovery code.
    /// Errors: as `changePasscode`.
    package func unbindPasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        try mapping {
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

    /// The TPM's value for the right passcode; nil: the passcode is not bound. The TPM has counted a wrong one.
    func value(_ file: KeybagFile, _ stretched: Secret) throws -> Secret? {
        try file.passcodeBinding?.value(for: stretched, place.deviceSecret, number: file.deviceSecretNumber)
    }

    /// The binding of the passcode once the keybag has followed the device secret: to the TPM that has it, and to the
    /// current recovery code. Empty if that TPM doesn't have the device secret any more.
    func followedBinding(
        _ opened: borrowing KeybagLocation.Opened, _ material: PasscodeMaterial
    ) throws -> (encoded: [UInt8], material: PasscodeMaterial) {
        let file = opened.file
        guard let binding = try file.passcodeBinding, let value = material.value,
            let record = try place.deviceSecret.record(),
            case .tpm(_, let device) = record.form, device.identity == binding.part.sealed.identity,
            let recovery = record.recovery
        else { return ([], material) }
        // The authorization of the counter derives from the former device secret.
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

    /// Whether this process was given a recovery code, and the passcode's value is sealed to none of those given.
    package func needsFormerRecoveryCode() throws(DataProtectionError) -> Bool {
        try mapping {
            guard !TPMSecrets.recoveryCodes.isEmpty, let binding = try view().file.passcodeBinding else {
                return false
            }
            return try binding.recoveryCode() == nil
        }
    }

    /// How a passcode opens a keybag: the KDF, and the binding to a TPM.
    struct Lock {
        let stretching: KeybagFile.Stretching?
        let binding: [UInt8]

        init(_ stretching: KeybagFile.Stretching?, _ binding: [UInt8] = []) {
            self.stretching = stretching
            self.binding = binding
        }
    }
}

extension KeybagLocation.Opened {
    /// The binding whose counter the next binding continues. Nil if it is under a former device secret, from which the
    /// counter's authorization derives.
    var presentBinding: PasscodeBinding? { get throws { isBehind ? nil : try file.passcodeBinding } }
}

extension DataProtectionError {
    /// The error for the user when the TPM that counts passcode attempts gives no result. It says nothing about the
    /// passcode. `bound`: the address over which the passcode was bound.
    init(passcode error: TPMError, _ way: TPMAddress, boundOver bound: TPMAddress? = nil) {
        let tpm = "the TPM \(way)"
        let remedy =
            TPMSecrets.recoveryCodes.isEmpty
            ? "with the recovery code: zamok passcode unbind --recovery"
            : "its part is sealed to a recovery code from before, which is none of those that were given; give the one of now and that one: --code-file NEW --code-file OLD"
        switch error {
        // The TPM of the device secret may be another one.
        case .otherTPM where bound != nil:
            let elsewhere = bound.flatMap {
                $0 == way ? nil : "; that one was reached over \($0): name it, or unset \(TPMAddress.variable)"
            }
            self.init(
                .otherTPM,
                "\(tpm) is not the one that the passcode is bound to; nothing was changed or counted\(elsewhere ?? ""); \(remedy)",
                cause: error)
        case .lockedOut:
            self.init(
                .tpmLockedOut,
                "\(tpm) is in dictionary-attack lockout, after wrong passcodes or losses of power; this says nothing about the passcode, and wasn't counted; \(Self.wait(way)); zamok device lockout --reset ends it",
                cause: error)
        case .superseded:
            self.init(
                .rolledBack,
                "the keybag is from before a change of the passcode, and the TPM \(way) has forgotten that one; this says nothing about what was typed, and wasn't counted; put the present keybag back; with the recovery code: zamok passcode unbind --recovery",
                cause: error)
        case .counterGone, .counterReplaced:
            let what =
                error == .counterGone
                ? "the counter that the passcode is bound to is not in the TPM \(way) any more"
                : "another counter was put in the place of the one in the TPM \(way) that the passcode is bound to"
            self.init(
                error == .counterGone ? .counterGone : .counterReplaced,
                "\(what); nothing was changed or counted; with the recovery code: zamok passcode unbind --recovery",
                cause: error)
        case .damagedBlob:
            self.init(
                .damaged, "what binds the passcode to \(tpm) is damaged; put the keybag back from a backup",
                cause: error)
        default:
            // The device secret may be elsewhere.
            let told = DataProtectionError(error, way, hasSecret: false)
            // A TPM that is only busy needs no recovery.
            let remedy = error == .full ? "" : "; \(remedy)"
            self.init(
                told.code, "\(told.message); the passcode is bound to it, and wasn't counted\(remedy)", cause: error)
        }
    }

    private static func wait(_ way: TPMAddress) -> String {
        guard let lockout = try? way.lockout() else { return "try again later" }
        return "it takes one more try every \(lockout.seconds) seconds"
    }
}
