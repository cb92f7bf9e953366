// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import TPMs

/// The binding of a passcode to a TPM: a value without which the passcode opens nothing. The TPM releases it for the
/// right passcode alone, and counts the wrong ones
/// (`Documentation/Formats/TPMObjects.md`, `A passcode that the TPM counts`).
struct PasscodeBinding: Equatable, Sendable {
    static let sizeLimit = 2048
    private static let valueSize = 32

    let part: TPMPart
    /// The value, sealed for the case that the TPM is gone.
    let recovery: RecoverySeal
    /// The counter value above which the TPM doesn't release the value any more; nil: the TPM has no room
    /// for a counter.
    let limit: CounterLimit?

    private init(part: TPMPart, recovery: RecoverySeal, limit: CounterLimit?) {
        self.part = part
        self.recovery = recovery
        self.limit = limit
    }

    init(parsing bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        part = try TPMPart(&reader)
        recovery = try RecoverySeal(
            &reader, RecoverySeal.State.typedBack.rawValue, label: .passcodeRecoverySeal)
        limit =
            reader.remaining == 0
            ? nil : CounterLimit(counter: try TPMCounter(&reader), most: try reader.integer())
        try reader.end()
        guard part.sealed.measurements == .none else { throw SealingError.malformed }
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(part.encoded + recovery.encoded)
        if let limit {
            writer.append(limit.counter.encoded)
            writer.integer(limit.most)
        }
        return writer.bytes
    }

    var placedCounter: LocatedCounter? {
        limit.map { LocatedCounter($0.counter, of: part.sealed.identity, over: part.way) }
    }

    /// Makes a new value and seals it to the TPM that has the device secret, for the KDF's result for a passcode. The
    /// seal is for the next value of the counter of `former`, or else for a new counter, which is noted. Existing
    /// bindings are not affected. The caller holds the lock of the keybag.
    static func make(
        for stretched: Secret, in place: KeybagLocation, after former: PasscodeBinding? = nil
    ) throws -> (binding: PasscodeBinding, material: PasscodeMaterial) {
        let file = place.deviceSecret
        guard let record = try file.record(), case .tpm(let named, let device) = record.form else {
            throw DataProtectionError(
                .notAvailable, "no TPM has the device secret of this home; move it there first: zamok device tpm")
        }
        let seal = try RecoverySeal.requireTypedBack(record.recovery)
        let way = file.way ?? named
        let value = Secret(try SecretBytes.random(count: valueSize))
        let key = try authorization(for: stretched)
        do {
            let secret = try file.secret(of: record)
            let limit = try limit(after: former, secret, of: device.identity, over: way, in: place)
            let sealed = try value.withSecretBytes { value in
                guard let limit else { return try way.seal(value, for: key, to: device.identity) }
                return try way.seal(
                    value, for: key, under: limit, try limit.counter.authorization(secret), to: device.identity)
            }
            let binding = PasscodeBinding(
                part: TPMPart(way: way, sealed: sealed), recovery: try Self.recovery(value, to: seal.publicKey),
                limit: limit)
            return (binding, PasscodeMaterial(stretched: stretched, value: value))
        } catch let error as TPMError {
            throw DataProtectionError(passcode: error, way)
        }
    }

    private static func limit(
        after former: PasscodeBinding?, _ secret: borrowing SecretBytes, of identity: TPMIdentity, over way: TPMAddress,
        in place: KeybagLocation
    ) throws -> CounterLimit? {
        if let former, let limit = former.limit, former.part.sealed.identity == identity, limit.most < .max {
            return CounterLimit(counter: limit.counter, most: limit.most + 1)
        }
        let made = LocatedCounter(try .random(), of: identity, over: way)
        try CounterNote(folder: place.folder).add([made])
        return try made.make(secret).map { CounterLimit(counter: made.counter, most: $0) }
    }

    /// The same value in the same object, with a recovery seal to another code.
    func resealed(_ value: Secret, to publicKey: [UInt8]) throws -> PasscodeBinding {
        PasscodeBinding(part: part, recovery: try Self.recovery(value, to: publicKey), limit: limit)
    }

    private static func recovery(_ value: Secret, to publicKey: [UInt8]) throws -> RecoverySeal {
        try value.withSecretBytes { try RecoverySeal($0, to: publicKey, .typedBack, label: .passcodeRecoverySeal) }
    }

    /// The value, from the recovery code that this process was given, or else from the TPM. `number`: that of the
    /// keybag's device secret. If the counter is one behind because a change was interrupted, it is raised: the keybag
    /// is in place.
    ///
    /// Errors: those of `TPMError`; `.wrongAuthorization` is a wrong passcode, `.superseded` a keybag from before a
    /// change of the passcode.
    func value(for stretched: Secret, _ deviceSecret: DeviceSecretFile, number: UInt32) throws -> Secret {
        if let code = try recoveryCode() { return Secret(try recovery.open(code)) }
        let way = deviceSecret.way ?? part.way
        let key = try Self.authorization(for: stretched)
        guard let limit else { return Secret(try way.open(part.sealed, with: key)) }
        let proof = try limit.counter.authorization(try deviceSecret.read(number))
        return Secret(try way.open(part.sealed, with: key, under: limit, proof, finishing: true))
    }

    /// Raises the counter to the value that the seal is for, which invalidates all earlier seals. Called after the
    /// keybag is in place.
    func finish(_ deviceSecret: DeviceSecretFile, number: UInt32) throws {
        guard let limit else { return }
        let way = deviceSecret.way ?? part.way
        do {
            let proof = try limit.counter.authorization(try deviceSecret.read(number))
            guard try way.raise(limit.counter, to: limit.most, proof, of: part.sealed.identity) == limit.most else {
                throw TPMError.counterReplaced
            }
        } catch let error as TPMError {
            let told = DataProtectionError(passcode: error, way)
            throw DataProtectionError(
                told.code,
                "the passcode is changed, but the TPM \(way) could not be told to forget the one from before, which copies of the home from before still open with; the next unlock does it: \(told.message)",
                cause: error)
        }
    }

    /// The recovery code to which the value is sealed, of those that this process was given.
    func recoveryCode() throws -> RecoveryCode? {
        try TPMSecrets.recoveryCodes.first { try recovery.isSealed(to: $0) }
    }

    /// The authorization that the TPM compares. Its last byte is not zero, since TPMs drop trailing zeros.
    private static func authorization(for stretched: Secret) throws -> Secret {
        let key = try stretched.withSecretBytes {
            try KeyDerivation.expand(from: $0, label: .passcodeForTPM, count: valueSize - 1)
        }
        return Secret(try key.joined(with: try SecretBytes(copying: [1])))
    }
}

/// What a passcode yields, before it is combined with device secret and epoch.
struct PasscodeMaterial: Sendable {
    /// The result of scrypt for the passcode.
    let stretched: Secret
    /// The value that the TPM released for the passcode; nil: it is not bound.
    var value: Secret?

    /// The passcode root. `isBound`: the keybag's passcode is bound to the TPM.
    func root(_ roots: borrowing KeyRoots, isBound: Bool) throws -> SecretBytes {
        guard isBound else { return try stretched.withSecretBytes { try roots.passcodeRoot(stretched: $0) } }
        guard let value else { throw KeybagFault.malformed }
        return try stretched.withSecretBytes { stretched in
            try value.withSecretBytes { try roots.passcodeRoot(stretched: stretched, value: $0) }
        }
    }
}

extension KeybagFile {
    /// The binding of the passcode to a TPM; nil: it is not bound.
    var passcodeBinding: PasscodeBinding? {
        get throws { binding.isEmpty ? nil : try PasscodeBinding(parsing: binding) }
    }
}
