// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import CryptoExtras
package import Foundation
package import SecurityTypes

/// The mathematical key behind a `SecKey`.
package enum KeyMaterial: Sendable {
    case p256(P256.Signing.PrivateKey)
    /// P-256, with the private half in a TPM.
    case tpm(TPMKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case p256Public(P256.Signing.PublicKey)
    case p384Public(P384.Signing.PublicKey)
    case p521Public(P521.Signing.PublicKey)
    case rsa(_RSA.Signing.PrivateKey)
    case rsaPublic(_RSA.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PrivateKey)
    case ed25519Public(Curve25519.Signing.PublicKey)
    case x25519(Curve25519.KeyAgreement.PrivateKey)
    case x25519Public(Curve25519.KeyAgreement.PublicKey)
    case symmetric(Data)
}

/// Why an operation on a key failed.
package enum KeyMaterialError: Error, Equatable {
    /// The bytes are not a key of that type.
    case malformed
    /// The private half does not belong to the public half beside it.
    case parted
    /// More bytes than any key has.
    case tooLarge
    /// A size that can't be made here.
    case sizeNotAllowed
    /// The key or swift-crypto doesn't support the operation.
    case unsupported
    /// A message too long for the key, or a digest of the wrong size.
    case input
    /// The signature or ciphertext is not this key's. The reason is not disclosed.
    case failed
}

extension KeyMaterial {
    /// The numbers of `kSecAttrKeyType`; symmetric keys have several. Apple's public constants have none for the last
    /// two, which use four letters each (Keychain.md).
    package enum Family: Int64, Equatable, Sendable {
        case rsa = 42
        case ec = 73
        case symmetric = 0
        /// `ed25`
        case ed25519 = 0x6564_3235
        /// `x255`
        case x25519 = 0x7832_3535
    }

    /// The numbers of `kSecAttrKeyClass`.
    package enum Role: Int64, Equatable, Sendable {
        case `public` = 0
        case `private` = 1
        case symmetric = 2
    }

    package var family: Family {
        switch self {
        case .rsa, .rsaPublic: .rsa
        case .ed25519, .ed25519Public: .ed25519
        case .x25519, .x25519Public: .x25519
        case .symmetric: .symmetric
        case .p256, .tpm, .p384, .p521, .p256Public, .p384Public, .p521Public: .ec
        }
    }

    package var role: Role {
        switch self {
        case .p256, .tpm, .p384, .p521, .rsa, .ed25519, .x25519: .private
        case .p256Public, .p384Public, .p521Public, .rsaPublic, .ed25519Public, .x25519Public: .public
        case .symmetric: .symmetric
        }
    }

    package var sizeInBits: Int {
        switch self {
        case .p256, .tpm, .p256Public, .ed25519, .ed25519Public, .x25519, .x25519Public: 256
        case .p384, .p384Public: 384
        case .p521, .p521Public: 521
        case .rsa(let key): key.keySizeInBits
        case .rsaPublic(let key): key.keySizeInBits
        case .symmetric(let bytes): bytes.count * 8
        }
    }

    /// Bytes of a coordinate (EC) or of the modulus (RSA).
    package var blockSize: Int { (sizeInBits + 7) / 8 }

    /// A new private key. RSA: 1024 to 8192 bits in steps of 8; keys under 2048 bits no longer protect anything.
    package static func generate(_ family: Family, sizeInBits: Int) throws -> KeyMaterial {
        switch (family, sizeInBits) {
        case (.ec, 256): return .p256(P256.Signing.PrivateKey())
        case (.ec, 384): return .p384(P384.Signing.PrivateKey())
        case (.ec, 521): return .p521(P521.Signing.PrivateKey())
        case (.rsa, 2048...8192) where sizeInBits.isMultiple(of: 8):
            return .rsa(try _RSA.Signing.PrivateKey(keySize: .init(bitCount: sizeInBits)))
        case (.rsa, 1024..<2048) where sizeInBits.isMultiple(of: 8):
            return .rsa(try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: sizeInBits)))
        case (.ed25519, 256): return .ed25519(Curve25519.Signing.PrivateKey())
        case (.x25519, 256): return .x25519(Curve25519.KeyAgreement.PrivateKey())
        default: throw KeyMaterialError.sizeNotAllowed
        }
    }

    /// The public half; nil for symmetric keys.
    package var publicKey: KeyMaterial? {
        switch self {
        case .p256(let key): .p256Public(key.publicKey)
        case .tpm(let key): .p256Public(key.publicKey)
        case .p384(let key): .p384Public(key.publicKey)
        case .p521(let key): .p521Public(key.publicKey)
        case .rsa(let key): .rsaPublic(key.publicKey)
        case .ed25519(let key): .ed25519Public(key.publicKey)
        case .x25519(let key): .x25519Public(key.publicKey)
        case .p256Public, .p384Public, .p521Public, .rsaPublic, .ed25519Public, .x25519Public: self
        case .symmetric: nil
        }
    }
}

extension KeyMaterial {
    /// The operations of a key.
    package enum Use: Sendable { case sign, verify, encrypt, decrypt, exchange }

    /// Whether this key supports the operation. Private keys sign, decrypt and agree; public keys verify and encrypt.
    package func supports(_ use: Use, _ algorithm: KeyAlgorithm) -> Bool {
        fits(use, algorithm) && hasRoom(for: algorithm)
            && (!algorithm.needsSystemCrypto || SystemCrypto.isAvailable)
    }

    /// Whether a block of this RSA key has room for the algorithm's encoding (RFC 8017: 9.1.1 with a salt as long as
    /// the digest, 9.2 and 7.1.1).
    private func hasRoom(for algorithm: KeyAlgorithm) -> Bool {
        switch algorithm.operation {
        case .rsaSignature(.pss, _, let hash?): (sizeInBits + 6) / 8 >= 2 * hash.byteCount + 2
        case .rsaSignature(.pkcs1v15, _, let hash?): blockSize >= hash.byteCount + (hash == .sha1 ? 15 : 19) + 11
        case .rsaEncryption(.oaep(let hash)): blockSize >= 2 * hash.byteCount + 2
        case .rsaHybrid(let hash): blockSize >= 2 * hash.byteCount + 2 + hybridKeySize
        default: true
        }
    }

    /// Bytes of the AES key that is encrypted before a message.
    var hybridKeySize: Int { sizeInBits >= 4096 ? 32 : 16 }

    private func fits(_ use: Use, _ algorithm: KeyAlgorithm) -> Bool {
        switch (use, algorithm.operation) {
        case (.sign, .ecdsaSignature), (.exchange, .keyExchange), (.decrypt, .ecies): family == .ec && role == .private
        case (.verify, .ecdsaSignature), (.encrypt, .ecies): family == .ec && role == .public
        case (.sign, .rsaSignature), (.decrypt, .rsaEncryption), (.decrypt, .rsaHybrid):
            family == .rsa && role == .private
        case (.verify, .rsaSignature), (.encrypt, .rsaEncryption), (.encrypt, .rsaHybrid):
            family == .rsa && role == .public
        default: false
        }
    }
}

extension KeyAlgorithm {
    /// Whether swift-crypto has no public function for it: SHA-224 and RSA with it, other digests of OAEP, RSA without
    /// padding or without a digest.
    package var needsSystemCrypto: Bool {
        switch operation {
        case .rsaSignature(_, _, let hash): hash == nil || hash == .sha224
        case .ecdsaSignature(_, let input, let hash): hash == .sha224 && input == .message
        case .rsaEncryption(.oaep(let hash)), .rsaHybrid(let hash): hash != .sha1 && hash != .sha256
        case .rsaEncryption(let padding): padding == .none
        case .keyExchange(let hash): hash == .sha224
        case .ecies(let hash, _): hash == .sha224
        case .unsupported: false
        }
    }
}
