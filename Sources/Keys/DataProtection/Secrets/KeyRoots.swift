// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The secrets of a keybag's current epoch, held only while keys are derived from them.
struct KeyRoots: ~Copyable {
    /// The device root, for class `none`, the keys beside it and the keybag's HMAC.
    let device: SecretBytes
    /// Device secret and epoch secret, concatenated.
    private let material: SecretBytes
    private let keybag: UniqueIdentifier
    private let owner: [UInt8]

    /// `owner`: the owner of the home; empty for a root home.
    init(
        deviceSecret: borrowing SecretBytes, epoch: borrowing SecretBytes, keybag: UniqueIdentifier, owner: [UInt8]
    ) throws {
        let material = try deviceSecret.joined(with: epoch)
        let device = try KeyDerivation.derive(from: material, salt: keybag.bytes, label: .deviceRoot, context: owner)
        self.material = material
        self.device = device
        self.keybag = keybag
        self.owner = owner
    }

    /// The key of the HMAC.
    func authenticationKey() throws -> SecretBytes {
        try KeyDerivation.expand(from: device, label: .keybagAuthentication)
    }

    /// The passcode root of a home without a passcode.
    func passcodeRootWithoutPasscode() throws -> SecretBytes {
        try KeyDerivation.derive(from: material, salt: keybag.bytes, label: .passcodeRoot, context: [0] + owner)
    }

    /// The passcode root, from the result of scrypt for the passcode.
    func passcodeRoot(stretched: borrowing SecretBytes) throws -> SecretBytes {
        try KeyDerivation.derive(
            from: try stretched.joined(with: material), salt: keybag.bytes, label: .passcodeRoot, context: [1] + owner
        )
    }

    /// The passcode root for a passcode that is bound to a TPM. `value`: what the TPM released for it.
    func passcodeRoot(stretched: borrowing SecretBytes, value: borrowing SecretBytes) throws -> SecretBytes {
        try KeyDerivation.derive(
            from: try stretched.joined(with: value).joined(with: material), salt: keybag.bytes, label: .passcodeRoot,
            context: [2] + owner)
    }
}

extension KeybagSlot {
    /// The key in this slot. Throws `SealingError.cannotOpen` if it was wrapped under another root than `root`, and
    /// `KeybagFault.forged` if it is not the intended key.
    func unwrap(under root: borrowing SecretBytes, _ names: KeybagFile.Names) throws -> SecretBytes {
        let key = try KeyWrap.unwrap(wrapped, under: try wrappingKey(under: root, names.keybag))
        guard try isMeant(key, names.home) else { throw KeybagFault.forged(self) }
        return key
    }

    /// Wraps `key` as the key of this slot.
    mutating func wrap(
        _ key: borrowing SecretBytes, under root: borrowing SecretBytes, _ names: KeybagFile.Names
    ) throws {
        wrapped = try KeyWrap.wrap(key, under: try wrappingKey(under: root, names.keybag))
        check = try checkValue(of: key, names.home)
    }

    /// Whether `key`, from any source, is the key of this slot and, for a pair, its public key is the slot's.
    func isMeant(_ key: borrowing SecretBytes, _ home: UniqueIdentifier) throws -> Bool {
        try checkValue(of: key, home) == check
    }

    private func checkValue(of key: borrowing SecretBytes, _ home: UniqueIdentifier) throws -> [UInt8] {
        var context = ByteWriter()
        context.append([kind.rawValue, keyClass?.code ?? 0])
        context.integer(id.value)
        context.append(home.bytes)
        context.append(publicKey ?? [UInt8](repeating: 0, count: 32))
        let value = try KeyDerivation.expand(from: key, label: .keyCheck, context: context.bytes, count: 16)
        return try value.exposingBytes(0..<16) ?? []
    }

    func wrappingKey(under root: borrowing SecretBytes, _ keybag: UniqueIdentifier) throws -> SecretBytes {
        var context = ByteWriter()
        context.append([keyClass?.code ?? 0, kind.rawValue])
        context.integer(id.value)
        context.append(keybag.bytes)
        return try KeyDerivation.expand(from: root, label: kind.label, context: context.bytes)
    }
}
