// SPDX-License-Identifier: Apache-2.0
//
// The one file that hands secrets to swift-crypto. Nothing else in the package imports Crypto for work on secrets.

import Crypto
import CryptoExtras
package import SecretMemory

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Authenticated envelopes: AES-256-GCM with a fresh random nonce of 12 bytes, stored as nonce || ciphertext || tag.
package enum Seal {
    /// Bytes that a sealed box is longer than what it holds.
    package static let overhead = 12 + 16

    /// Seals `plaintext`; `authenticated` must be given again to open it.
    package static func seal(
        _ plaintext: borrowing SecretBytes,
        under key: borrowing SecretBytes,
        authenticating authenticated: [UInt8]
    ) throws -> [UInt8] {
        try ClearedScope.run {
            try key.withSymmetricKey { key in
                unsafe try plaintext.withBuffer { plaintext in
                    let box = unsafe try AES.GCM.seal(plaintext, using: key, authenticating: authenticated)
                    guard let combined = box.combined else { throw SealingError.cannotSeal }
                    return Array(combined)
                }
            }
        }
    }

    /// Opens what `seal` made. A failure has one answer, whatever its reason.
    package static func open(
        _ sealed: [UInt8],
        under key: borrowing SecretBytes,
        authenticating authenticated: [UInt8]
    ) throws -> SecretBytes {
        try ClearedScope.run {
            try key.withSymmetricKey { key in
                guard let box = try? AES.GCM.SealedBox(combined: sealed),
                    var opened = try? AES.GCM.open(box, using: key, authenticating: authenticated)
                else { throw SealingError.cannotOpen }
                defer { opened.resetBytes(in: opened.startIndex..<opened.endIndex) }
                return try SecretBytes(copying: opened)
            }
        }
    }
}

/// AES key wrap, RFC 3394.
package enum KeyWrap {
    /// Bytes that a wrapped key is longer than the key.
    package static let overhead = 8

    package static func wrap(_ key: borrowing SecretBytes, under wrapping: borrowing SecretBytes) throws -> [UInt8] {
        try key.refuseZero()
        return try ClearedScope.run {
            try wrapping.withSymmetricKey { wrapping in
                try key.withSymmetricKey { Array(try AES.KeyWrap.wrap($0, using: wrapping)) }
            }
        }
    }

    package static func unwrap(_ wrapped: [UInt8], under wrapping: borrowing SecretBytes) throws -> SecretBytes {
        try ClearedScope.run {
            try wrapping.withSymmetricKey { wrapping in
                guard let key = try? AES.KeyWrap.unwrap(wrapped, using: wrapping) else { throw SealingError.cannotOpen }
                let secret = try key.secretBytes()
                try secret.refuseZero()
                return secret
            }
        }
    }
}

/// HKDF-SHA-256 (RFC 5869) and HMAC-SHA-256.
package enum KeyDerivation {
    /// HKDF extract and expand: for roots put together of several secrets.
    package static func derive(
        from material: borrowing SecretBytes,
        salt: [UInt8],
        label: KeyLabel,
        context: [UInt8] = [],
        count: Int = 32
    ) throws -> SecretBytes {
        try ClearedScope.run {
            try material.withSymmetricKey { material in
                try HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: material, salt: salt, info: label.info(context), outputByteCount: count
                ).secretBytes()
            }
        }
    }

    /// HKDF expand alone: for subkeys of a key that is uniformly random already.
    package static func expand(
        from key: borrowing SecretBytes,
        label: KeyLabel,
        context: [UInt8] = [],
        count: Int = 32
    ) throws -> SecretBytes {
        try ClearedScope.run {
            try key.withSymmetricKey { key in
                try HKDF<SHA256>.expand(
                    pseudoRandomKey: key, info: label.info(context), outputByteCount: count
                ).secretBytes()
            }
        }
    }

    /// HMAC-SHA-256 of `message`, 32 bytes.
    package static func authenticationCode(for message: [UInt8], under key: borrowing SecretBytes) throws -> [UInt8] {
        try ClearedScope.run {
            try key.withSymmetricKey { Array(HMAC<SHA256>.authenticationCode(for: message, using: $0)) }
        }
    }

    /// Whether `code` is the HMAC-SHA-256 of `message`; compared in constant time.
    package static func isValid(
        _ code: [UInt8],
        for message: [UInt8],
        under key: borrowing SecretBytes
    ) throws -> Bool {
        try ClearedScope.run {
            try key.withSymmetricKey {
                HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: $0)
            }
        }
    }

    /// scrypt (RFC 7914), 32 bytes.
    package static func scrypt(
        _ passcode: borrowing SecretBytes,
        salt: [UInt8],
        parameters: ScryptParameters
    ) throws -> SecretBytes {
        try ClearedScope.run {
            unsafe try passcode.withBuffer { passcode in
                unsafe try KDF.Scrypt.deriveKey(
                    from: passcode, salt: salt, outputByteCount: 32, rounds: parameters.rounds,
                    blockSize: parameters.blockSize, parallelism: parameters.parallelism,
                    maxMemory: parameters.memoryLimit
                ).secretBytes()
            }
        }
    }
}

/// X25519 (RFC 7748).
package enum KeyAgreement {
    /// A new private key, 32 bytes, and its public key.
    package static func generate() throws -> GeneratedKeyPair {
        try ClearedScope.run {
            let key = Curve25519.KeyAgreement.PrivateKey()
            var raw = key.rawRepresentation
            defer { raw.resetBytes(in: raw.startIndex..<raw.endIndex) }
            return GeneratedKeyPair(
                privateKey: try SecretBytes(copying: raw), publicKey: Array(key.publicKey.rawRepresentation)
            )
        }
    }

    /// The public key of a private one.
    package static func publicKey(of privateKey: borrowing SecretBytes) throws -> [UInt8] {
        try ClearedScope.run {
            unsafe try privateKey.withBuffer { raw in
                guard let key = unsafe try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: raw) else {
                    throw SealingError.cannotOpen
                }
                return Array(key.publicKey.rawRepresentation)
            }
        }
    }

    /// The shared secret; the all-zero one, which a bad public key yields, is refused.
    package static func sharedSecret(
        of privateKey: borrowing SecretBytes,
        with publicKey: [UInt8]
    ) throws -> SecretBytes {
        try ClearedScope.run {
            unsafe try privateKey.withBuffer { raw in
                guard let key = unsafe try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: raw),
                    let peer = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
                    let shared = try? key.sharedSecretFromKeyAgreement(with: peer)
                else { throw SealingError.cannotOpen }
                let secret = try shared.secretBytes()
                try secret.refuseZero()
                return secret
            }
        }
    }
}

/// A new X25519 key pair.
package struct GeneratedKeyPair: ~Copyable {
    package let privateKey: SecretBytes
    package let publicKey: [UInt8]
}

extension SecretBytes {
    fileprivate borrowing func withBuffer<R: ~Copyable>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        try withBytes { span in unsafe try span.withUnsafeBytes { unsafe try body($0) } }
    }

    fileprivate borrowing func withSymmetricKey<R: ~Copyable>(_ body: (SymmetricKey) throws -> R) throws -> R {
        unsafe try withBuffer { unsafe try body(SymmetricKey(data: $0)) }
    }

    /// An all-zero key is what forgotten or wiped memory looks like.
    fileprivate borrowing func refuseZero() throws {
        let isZero = try withBytes { span in
            var bits: UInt8 = 0
            for index in 0..<span.byteCount { unsafe bits |= span.unsafeLoad(fromByteOffset: index, as: UInt8.self) }
            return bits == 0
        }
        if isZero { throw SealingError.zeroKey }
    }
}

extension ContiguousBytes {
    fileprivate func secretBytes() throws -> SecretBytes {
        var copy: SecretBytes?
        unsafe try withUnsafeBytes { unsafe copy = try SecretBytes(copying: $0) }
        guard let copy = copy.take() else { throw SealingError.cannotOpen }
        return copy
    }
}
