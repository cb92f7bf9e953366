// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
package import Foundation
package import SecurityTypes

extension KeyMaterial {
    /// Encrypts a short message to the public key.
    package func encrypt(_ plaintext: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        guard case .rsaPublic(let key) = publicKey, case .rsaEncryption(let hash) = algorithm.operation else {
            throw KeyMaterialError.unsupported
        }
        let padding = Self.padding(hash)
        do {
            let key = try _RSA.Encryption.PublicKey(unsafeDERRepresentation: key.derRepresentation)
            guard plaintext.count <= key.maximumEncryptSize(with: padding) else { throw KeyMaterialError.input }
            return try key.encrypt(plaintext, padding: padding)
        } catch let error as KeyMaterialError { throw error } catch { throw KeyMaterialError.input }
    }

    /// Decrypts with the private key; every failure is the same.
    package func decrypt(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        guard case .rsa(let key) = self, case .rsaEncryption(let hash) = algorithm.operation else {
            throw KeyMaterialError.unsupported
        }
        do {
            return try _RSA.Encryption.PrivateKey(unsafeDERRepresentation: key.derRepresentation)
                .decrypt(ciphertext, padding: Self.padding(hash))
        } catch { throw KeyMaterialError.failed }
    }

    private static func padding(_ hash: KeyAlgorithm.OAEPHash?) -> _RSA.Encryption.Padding {
        switch hash {
        case .sha1: .PKCS1_OAEP
        case .sha256: .PKCS1_OAEP_SHA256
        case nil: ._WEAK_AND_INSECURE_PKCS_V1_5
        }
    }

    /// ECDH; with a hash, the X9.63 key derivation (SEC 1, 3.6.1) over `sharedInfo`.
    package func exchange(
        with peer: KeyMaterial, _ algorithm: KeyAlgorithm, count: Int, sharedInfo: Data
    ) throws -> Data {
        guard case .keyExchange(let hash) = algorithm.operation else { throw KeyMaterialError.unsupported }
        let secret = try sharedSecret(with: peer)
        guard let hash else { return secret.exposedBytes }
        guard (1...(1 << 16)).contains(count) else { throw KeyMaterialError.input }
        let key =
            switch hash {
            case .sha1:
                secret.x963DerivedSymmetricKey(
                    using: Insecure.SHA1.self, sharedInfo: sharedInfo, outputByteCount: count)
            case .sha384:
                secret.x963DerivedSymmetricKey(using: SHA384.self, sharedInfo: sharedInfo, outputByteCount: count)
            case .sha512:
                secret.x963DerivedSymmetricKey(using: SHA512.self, sharedInfo: sharedInfo, outputByteCount: count)
            case .sha256, .sha224:
                secret.x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: sharedInfo, outputByteCount: count)
            }
        return key.exposedBytes
    }

    private func sharedSecret(with peer: KeyMaterial) throws -> SharedSecret {
        do {
            switch (self, peer.publicKey) {
            case (.p256(let own), .p256Public(let other)): return try P256.sharedSecret(of: own, with: other)
            case (.p384(let own), .p384Public(let other)): return try P384.sharedSecret(of: own, with: other)
            case (.p521(let own), .p521Public(let other)): return try P521.sharedSecret(of: own, with: other)
            default: throw KeyMaterialError.unsupported
            }
        } catch let error as KeyMaterialError { throw error } catch { throw KeyMaterialError.failed }
    }
}
