// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// A file key sealed to the class `completeUnlessOpen`, as stored in a file's header.
package struct CompleteUnlessOpenKey: Equatable, Sendable {
    /// Size in bytes of class code, key id, ephemeral public key and wrapped file key.
    package static let size = 81

    package let keyClass: KeyClass
    package let classKeyID: ClassKeyID
    /// The public key of the pair that was generated for this one seal.
    package let ephemeralKey: [UInt8]
    package let wrapped: [UInt8]

    /// The key in a header's bytes; nil if they are malformed.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size, let keyClass = KeyClass(code: bytes[0]),
            keyClass.protection == .completeUnlessOpen
        else { return nil }
        self.keyClass = keyClass
        classKeyID = ClassKeyID(bytes[1..<9].reduce(0) { $0 << 8 | UInt64($1) })
        ephemeralKey = Array(bytes[9..<41])
        wrapped = Array(bytes[41...])
    }

    fileprivate init(_ keyClass: KeyClass, _ id: ClassKeyID, ephemeralKey: [UInt8], wrapped: [UInt8]) {
        self.keyClass = keyClass
        classKeyID = id
        self.ephemeralKey = ephemeralKey
        self.wrapped = wrapped
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append([keyClass.code])
        writer.integer(classKeyID.value)
        writer.append(ephemeralKey + wrapped)
        return writer.bytes
    }
}

extension Keybag {
    /// Seals a file key of 32 bytes so that it opens only while unlocked. Works while locked and before
    /// the first unlock.
    ///
    /// `fileIdentifier`: 16 bytes, bound to the seal. Errors: `.invalidArgument`, `.damaged`, `.forked`.
    package func sealForCompleteUnlessOpen(
        _ fileKey: borrowing SecretBytes, fileIdentifier: [UInt8], thisDeviceOnly: Bool = false
    ) throws(DataProtectionError) -> CompleteUnlessOpenKey {
        try mapping {
            guard fileIdentifier.count == 16 else {
                throw DataProtectionError(.invalidArgument, "a file identifier has 16 bytes")
            }
            let keyClass = KeyClass(.completeUnlessOpen, thisDeviceOnly: thisDeviceOnly)
            // The public key is from a keybag whose HMAC verified: a view contains no other.
            let view = try view()
            guard let slot = view.file.current(.classKeyPair, keyClass), let classKey = slot.publicKey else {
                throw KeybagFault.malformed
            }
            let authenticity = try authenticity(slot, view)
            let (ephemeralKey, wrapped) = try wrap(slot, to: classKey, fileIdentifier).wrap(fileKey) {
                try $0.joined(with: authenticity)
            }
            return CompleteUnlessOpenKey(keyClass, slot.id, ephemeralKey: ephemeralKey, wrapped: wrapped)
        }
    }

    /// The file key that was sealed. Errors: `.locked`, `.keyDestroyed` (id unknown), `.forked`, and `.damaged`
    /// (modified, of another file, or made without the authenticity key).
    package func openCompleteUnlessOpen(
        _ sealed: CompleteUnlessOpenKey, fileIdentifier: [UInt8]
    ) throws(DataProtectionError) -> SecretBytes {
        try mapping {
            let view = try view()
            guard let slot = view.file.slot(.classKeyPair, sealed.classKeyID), slot.keyClass == sealed.keyClass else {
                throw DataProtectionError(.keyDestroyed, "the class key that this was protected with was destroyed")
            }
            guard let group = try group(.complete, view), let privateKey = try group.key(.classKeyPair, slot.id) else {
                throw DataProtectionError(
                    .locked,
                    "locked: a file of class completeUnlessOpen opens after an unlock; run: \(command("unlock"))"
                )
            }
            do {
                let authenticity = try authenticity(slot, view)
                return try wrap(slot, to: slot.publicKey ?? [], fileIdentifier).unwrap(
                    sealed.wrapped, from: sealed.ephemeralKey, with: privateKey
                ) { try $0.joined(with: authenticity) }
            } catch is SealingError {
                throw DataProtectionError(.damaged, "a protected file key is damaged")
            }
        }
    }

    private func wrap(_ slot: KeybagSlot, to publicKey: [UInt8], _ fileIdentifier: [UInt8]) -> PublicKeyWrap {
        var prefix = ByteWriter()
        prefix.append([slot.keyClass?.code ?? 0])
        prefix.integer(slot.id.value)
        return PublicKeyWrap(.completeUnlessOpen, to: publicKey, prefix: prefix.bytes, suffix: fileIdentifier)
    }

    /// Any process that can write to the disk knows the public keys. A file key that opens also needs
    /// this key.
    private func authenticity(_ slot: KeybagSlot, _ view: KeybagView) throws -> SecretBytes {
        guard let key = try view.device.key(.authenticityKey, slot.id) else { throw KeybagFault.malformed }
        return key
    }
}
