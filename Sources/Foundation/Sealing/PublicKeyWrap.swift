// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// Wraps a key to the public half of an X25519 pair: key agreement with an ephemeral pair, HKDF-SHA-256, AES key wrap.
/// It is ECDH-ES+A256KW (RFC 7518, 4.6) with HKDF in place of Concat KDF. The sender can't unwrap the result.
/// Documentation/Formats/Keybag.md.
package struct PublicKeyWrap: Sendable {
    /// What the wrapping key is for: one kind of key is never mistaken for another.
    private let label: KeyLabel
    private let publicKey: [UInt8]
    /// The context of the derivation, around the ephemeral and the public key.
    private let (prefix, suffix): ([UInt8], [UInt8])

    package init(_ label: KeyLabel, to publicKey: [UInt8], prefix: [UInt8] = [], suffix: [UInt8] = []) {
        self.label = label
        self.publicKey = publicKey
        (self.prefix, self.suffix) = (prefix, suffix)
    }

    /// `mixing`: adds a second secret to the shared one; the same must be given to unwrap.
    package func wrap(
        _ key: borrowing SecretBytes, mixing: (consuming SecretBytes) throws -> SecretBytes = { $0 }
    ) throws -> (ephemeralKey: [UInt8], wrapped: [UInt8]) {
        let pair = try KeyAgreement.generate()
        let shared = try KeyAgreement.sharedSecret(of: pair.privateKey, with: publicKey)
        let wrapping = try wrappingKey(try mixing(shared), pair.publicKey)
        return (pair.publicKey, try KeyWrap.wrap(key, under: wrapping))
    }

    /// Throws `SealingError.cannotOpen` for every kind of failure.
    package func unwrap(
        _ wrapped: [UInt8], from ephemeralKey: [UInt8], with privateKey: borrowing SecretBytes,
        mixing: (consuming SecretBytes) throws -> SecretBytes = { $0 }
    ) throws -> SecretBytes {
        let shared = try KeyAgreement.sharedSecret(of: privateKey, with: ephemeralKey)
        return try KeyWrap.unwrap(wrapped, under: try wrappingKey(try mixing(shared), ephemeralKey))
    }

    private func wrappingKey(_ shared: borrowing SecretBytes, _ ephemeralKey: [UInt8]) throws -> SecretBytes {
        try KeyDerivation.derive(
            from: shared, salt: [], label: label, context: prefix + ephemeralKey + publicKey + suffix)
    }
}
