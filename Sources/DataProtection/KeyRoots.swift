// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The secrets of one keybag's present epoch, held only while keys are made of them.
struct KeyRoots: ~Copyable {
    /// Opens class none, the keys beside it and the keybag's HMAC.
    let device: SecretBytes
    /// Device secret and epoch secret, one behind the other.
    private let material: SecretBytes
    private let keybag: UniqueIdentifier

    init(
        deviceSecret: borrowing SecretBytes, epoch: borrowing SecretBytes, keybag: UniqueIdentifier
    ) throws {
        let material = try deviceSecret.joined(with: epoch)
        let device = try KeyDerivation.derive(from: material, salt: keybag.bytes, label: .deviceRoot)
        self.material = material
        self.device = device
        self.keybag = keybag
    }

    /// The key of the HMAC.
    func authenticationKey() throws -> SecretBytes {
        try KeyDerivation.expand(from: device, label: .keybagAuthentication)
    }

    /// The passcode root of a home without a passcode.
    func passcodeRootWithoutPasscode() throws -> SecretBytes {
        try KeyDerivation.derive(from: material, salt: keybag.bytes, label: .passcodeRoot, context: [0])
    }

    /// The passcode root, from what scrypt made of the passcode.
    func passcodeRoot(stretched: borrowing SecretBytes) throws -> SecretBytes {
        try KeyDerivation.derive(
            from: try stretched.joined(with: material), salt: keybag.bytes, label: .passcodeRoot, context: [1]
        )
    }
}

extension KeybagSlot {
    /// The key in this slot. `SealingError.cannotOpen` if `root` is another one than it was wrapped under.
    func unwrap(under root: borrowing SecretBytes, _ keybag: UniqueIdentifier) throws -> SecretBytes {
        try KeyWrap.unwrap(wrapped, under: try wrappingKey(under: root, keybag))
    }

    /// Wraps `key` as the one of this slot.
    mutating func wrap(
        _ key: borrowing SecretBytes, under root: borrowing SecretBytes, _ keybag: UniqueIdentifier
    ) throws {
        wrapped = try KeyWrap.wrap(key, under: try wrappingKey(under: root, keybag))
    }

    func wrappingKey(under root: borrowing SecretBytes, _ keybag: UniqueIdentifier) throws -> SecretBytes {
        var context = ByteWriter()
        context.append([keyClass?.code ?? 0, kind.rawValue])
        context.integer(id.value)
        context.append(keybag.bytes)
        return try KeyDerivation.expand(from: root, label: kind.label, context: context.bytes)
    }
}
