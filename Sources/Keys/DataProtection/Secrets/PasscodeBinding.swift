// SPDX-License-Identifier: Apache-2.0

import Chips
import Sealing
import SecretMemory

/// What binds a passcode to a chip: a value without which the passcode opens nothing, and which the chip gives for the right passcode alone, counting the wrong ones
/// (Documentation/Formats/Chip.md, "A passcode that the chip counts").
struct PasscodeBinding: Equatable, Sendable {
    static let sizeLimit = 2048
    private static let valueSize = 32

    let part: ChipPart
    /// The value for the day when the chip is gone.
    let recovery: RecoverySeal

    private init(part: ChipPart, recovery: RecoverySeal) {
        self.part = part
        self.recovery = recovery
    }

    init(parsing bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        part = try ChipPart(&reader)
        recovery = try RecoverySeal(
            &reader, RecoverySeal.State.typedBack.rawValue, label: .passcodeRecoverySeal)
        try reader.end()
        guard part.sealed.measurements == .none else { throw SealingError.malformed }
    }

    var encoded: [UInt8] { part.encoded + recovery.encoded }

    /// A new value, sealed to the chip that has the device secret, for what the KDF made of a passcode. Nothing in the chip changes by it.
    static func make(
        for stretched: Secret, beside record: DeviceSecretRecord?, over way: ChipWay?
    ) throws -> (binding: PasscodeBinding, material: PasscodeMaterial) {
        guard let record, case .chip(let named, let device) = record.form else {
            throw DataProtectionError(
                .notAvailable, "no chip has the device secret of this home; move it there first: zamok device tpm")
        }
        guard let seal = record.recovery, seal.state == .typedBack else {
            throw DataProtectionError(
                .notAvailable,
                "without a recovery code the home is lost with the chip; make one and type it back first: zamok device recovery"
            )
        }
        let way = way ?? named
        let value = Secret(try SecretBytes.random(count: valueSize))
        let key = try authorization(for: stretched)
        let sealed = try value.withSecretBytes { value in
            do { return try way.seal(value, for: key, to: device.identity) } catch let error as ChipError {
                throw DataProtectionError(passcode: error, way)
            }
        }
        let binding = PasscodeBinding(
            part: ChipPart(way: way, sealed: sealed), recovery: try Self.recovery(value, to: seal.publicKey))
        return (binding, PasscodeMaterial(stretched: stretched, value: value))
    }

    /// The same value in the same object, with a recovery seal to another code.
    func resealed(_ value: Secret, to publicKey: [UInt8]) throws -> PasscodeBinding {
        PasscodeBinding(part: part, recovery: try Self.recovery(value, to: publicKey))
    }

    private static func recovery(_ value: Secret, to publicKey: [UInt8]) throws -> RecoverySeal {
        try value.withSecretBytes { try RecoverySeal($0, to: publicKey, .typedBack, label: .passcodeRecoverySeal) }
    }

    /// The value, by the recovery code that this process was given, or else by the chip. Errors: those of `ChipError`; `.wrongAuthorization` is a wrong passcode.
    func value(for stretched: Secret, over way: ChipWay?) throws -> Secret {
        if let code = try recoveryCode() { return Secret(try recovery.open(code)) }
        return Secret(try (way ?? part.way).open(part.sealed, with: try Self.authorization(for: stretched)))
    }

    /// The one of the codes that this process was given to which the value is sealed.
    func recoveryCode() throws -> RecoveryCode? {
        try ChipSecrets.recoveryCodes.first { try recovery.isSealed(to: $0) }
    }

    /// What the chip compares. Its last byte is not zero, since chips leave zeros at the end out.
    private static func authorization(for stretched: Secret) throws -> Secret {
        let key = try stretched.withSecretBytes {
            try KeyDerivation.expand(from: $0, label: .passcodeForChip, count: valueSize - 1)
        }
        return Secret(try key.joined(with: try SecretBytes(copying: [1])))
    }
}

/// What a passcode yields, before device secret and epoch come to it.
struct PasscodeMaterial: Sendable {
    /// What scrypt made of it.
    let stretched: Secret
    /// What the chip gave for it; nil: it is bound to none.
    var value: Secret?

    /// The passcode root. `isBound`: of a keybag whose passcode is bound to the chip.
    func root(_ roots: borrowing KeyRoots, isBound: Bool) throws -> SecretBytes {
        guard isBound else { return try stretched.withSecretBytes { try roots.passcodeRoot(stretched: $0) } }
        guard let value else { throw KeybagFault.malformed }
        return try stretched.withSecretBytes { stretched in
            try value.withSecretBytes { try roots.passcodeRoot(stretched: stretched, value: $0) }
        }
    }
}

extension KeybagFile {
    /// What binds the passcode to a chip; nil: nothing does.
    var passcodeBinding: PasscodeBinding? {
        get throws { binding.isEmpty ? nil : try PasscodeBinding(parsing: binding) }
    }
}
