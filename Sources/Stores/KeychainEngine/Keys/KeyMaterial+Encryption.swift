// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
package import Foundation
package import SecurityTypes

extension KeyMaterial {
    /// Encrypts to the public key.
    package func encrypt(_ plaintext: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        switch (publicKey, algorithm.operation) {
        case (.rsaPublic(let key), .rsaEncryption(let padding)):
            return try Self.encrypt(plaintext, key: key, padding: padding)
        case (.rsaPublic(let key), .rsaHybrid(let hash)):
            let session = SymmetricKey(size: SymmetricKeySize(bitCount: hybridKeySize * 8))
            let wrapped = try Self.encrypt(session.exposedBytes, key: key, padding: .oaep(hash))
            let box = HybridBox(key: session, authenticated: key.pkcs1DERRepresentation)
            return wrapped + (try box.seal(plaintext))
        case (let others?, .ecies(let hash, let derivesIV)) where family == .ec:
            let ephemeral = try Self.generate(.ec, sizeInBits: sizeInBits)
            guard let point = ephemeral.publicKey?.externalRepresentation else { throw KeyMaterialError.unsupported }
            let box = try ephemeral.hybridBox(with: others, hash: hash, derivesIV: derivesIV, point: point)
            return point + (try box.seal(plaintext))
        default: throw KeyMaterialError.unsupported
        }
    }

    /// Decrypts with the private key. All failures are indistinguishable.
    package func decrypt(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        // A copy whose indices start at zero, even if the argument is a slice.
        let ciphertext = Data(ciphertext)
        switch (self, algorithm.operation) {
        case (.rsa(let key), .rsaEncryption(let padding)):
            return try Self.decrypt(ciphertext, key: key, padding: padding)
        case (.rsa(let key), .rsaHybrid(let hash)):
            guard ciphertext.count >= blockSize + HybridBox.tagSize else { throw KeyMaterialError.failed }
            let session = SymmetricKey(
                data: try Self.decrypt(ciphertext.prefix(blockSize), key: key, padding: .oaep(hash)))
            guard session.bitCount == hybridKeySize * 8 else { throw KeyMaterialError.failed }
            let box = HybridBox(key: session, authenticated: key.publicKey.pkcs1DERRepresentation)
            return try box.open(ciphertext.dropFirst(blockSize))
        case (_, .ecies(let hash, let derivesIV)) where family == .ec && role == .private:
            let pointSize = 1 + 2 * blockSize
            let point = ciphertext.prefix(pointSize)
            guard ciphertext.count >= pointSize + HybridBox.tagSize,
                let ephemeral = try? KeyMaterial(.ec, .public, externalRepresentation: point)
            else { throw KeyMaterialError.failed }
            return try hybridBox(with: ephemeral, hash: hash, derivesIV: derivesIV, point: point).open(
                ciphertext.dropFirst(pointSize))
        default: throw KeyMaterialError.unsupported
        }
    }

    private static func encrypt(
        _ plaintext: Data, key: _RSA.Signing.PublicKey, padding: KeyAlgorithm.EncryptionPadding
    ) throws -> Data {
        guard let own = padding.value else {
            return try SystemCrypto.rsa(
                .encrypt, padding: padding.system, hash: padding.hash?.rawValue, key: key.derRepresentation,
                input: try key.block(of: plaintext, padding == .none))
        }
        do {
            let key = try _RSA.Encryption.PublicKey(unsafeDERRepresentation: key.derRepresentation)
            guard plaintext.count <= key.maximumEncryptSize(with: own) else { throw KeyMaterialError.input }
            return try key.encrypt(plaintext, padding: own)
        } catch let error as KeyMaterialError { throw error } catch { throw KeyMaterialError.input }
    }

    private static func decrypt(
        _ ciphertext: Data, key: _RSA.Signing.PrivateKey, padding: KeyAlgorithm.EncryptionPadding
    ) throws -> Data {
        do {
            guard let own = padding.value else {
                return try SystemCrypto.rsa(
                    .decrypt, padding: padding.system, hash: padding.hash?.rawValue, key: key.derRepresentation,
                    input: ciphertext)
            }
            return try _RSA.Encryption.PrivateKey(unsafeDERRepresentation: key.derRepresentation)
                .decrypt(ciphertext, padding: own)
        } catch { throw KeyMaterialError.failed }
    }
}

extension KeyAlgorithm.EncryptionPadding {
    /// The padding in swift-crypto; nil if it has none.
    fileprivate var value: _RSA.Encryption.Padding? {
        switch self {
        case .oaep(.sha1): .PKCS1_OAEP
        case .oaep(.sha256): .PKCS1_OAEP_SHA256
        case .pkcs1: ._WEAK_AND_INSECURE_PKCS_V1_5
        case .oaep, .none: nil
        }
    }

    fileprivate var system: SystemCrypto.RSAPadding {
        switch self {
        case .oaep: .oaep
        case .pkcs1: .pkcs1
        case .none: .none
        }
    }

    fileprivate var hash: KeyAlgorithm.Hash? { if case .oaep(let hash) = self { hash } else { nil } }
}

extension _RSA.Signing.PublicKey {
    /// Without padding the input is a number, right-aligned in a whole block.
    func block(of input: Data, _ isUnpadded: Bool) throws -> Data {
        let size = (keySizeInBits + 7) / 8
        guard isUnpadded else { return input }
        guard input.count <= size else { throw KeyMaterialError.input }
        return Data(count: size - input.count) + input
    }
}

// MARK: Encryption in two steps

/// AES-GCM with a tag and an initialization vector of 16 bytes each, as used after an encrypted key or an
/// ephemeral point.
private struct HybridBox {
    static let tagSize = 16

    let key: SymmetricKey
    var initializationVector = Data(count: 16)
    var authenticated = Data()

    func seal(_ plaintext: Data) throws -> Data {
        let nonce = try AES.GCM.Nonce(data: initializationVector)
        let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce, authenticating: authenticated)
        return box.ciphertext + box.tag
    }

    func open(_ bytes: Data) throws -> Data {
        do {
            let nonce = try AES.GCM.Nonce(data: initializationVector)
            let box = try AES.GCM.SealedBox(
                nonce: nonce, ciphertext: bytes.dropLast(Self.tagSize), tag: bytes.suffix(Self.tagSize))
            return try AES.GCM.open(box, using: key, authenticating: authenticated)
        } catch { throw KeyMaterialError.failed }
    }
}

extension KeyMaterial {
    /// The key and, for half of the algorithms, the initialization vector are derived, with the ephemeral point as
    /// shared info.
    /// The key has 128 bits for P-256, 256 for longer curves.
    private func hybridBox(
        with peer: KeyMaterial, hash: KeyAlgorithm.Hash, derivesIV: Bool, point: Data
    ) throws -> HybridBox {
        let size = sizeInBits > 256 ? 32 : 16
        let derived = try derive(
            with: peer, hash, count: size + (derivesIV ? HybridBox.tagSize : 0), sharedInfo: point)
        var box = HybridBox(key: SymmetricKey(data: derived.prefix(size)))
        if derivesIV { box.initializationVector = Data(derived.suffix(HybridBox.tagSize)) }
        return box
    }

    /// ECDH. With a hash, the X9.63 key derivation (SEC 1, 3.6.1) over `sharedInfo`.
    package func exchange(
        with peer: KeyMaterial, _ algorithm: KeyAlgorithm, count: Int, sharedInfo: Data
    ) throws -> Data {
        guard case .keyExchange(let hash) = algorithm.operation else { throw KeyMaterialError.unsupported }
        guard let hash else {
            return try tpmSecret(with: peer) ?? sharedSecret(with: peer).exposedBytes
        }
        guard (1...(1 << 16)).contains(count) else { throw KeyMaterialError.input }
        return try derive(with: peer, hash, count: count, sharedInfo: sharedInfo)
    }

    private func derive(with peer: KeyMaterial, _ hash: KeyAlgorithm.Hash, count: Int, sharedInfo: Data) throws -> Data
    {
        if let secret = try tpmSecret(with: peer) {
            return try Self.derive(from: secret, hash, count: count, sharedInfo: sharedInfo)
        }
        let secret = try sharedSecret(with: peer)
        func derived<H: HashFunction>(_: H.Type) -> Data {
            secret.x963DerivedSymmetricKey(using: H.self, sharedInfo: sharedInfo, outputByteCount: count).exposedBytes
        }
        return switch hash {
        case .sha1: derived(Insecure.SHA1.self)
        case .sha224: try SystemCrypto.derivedKey(of: secret.exposedBytes, sharedInfo: sharedInfo, count: count)
        case .sha256: derived(SHA256.self)
        case .sha384: derived(SHA384.self)
        case .sha512: derived(SHA512.self)
        }
    }

    /// The shared secret that a TPM computes; nil if the key is in none.
    private func tpmSecret(with peer: KeyMaterial) throws -> Data? {
        guard case .tpm(let own) = self else { return nil }
        guard case .p256Public(let other) = peer.publicKey else { throw KeyMaterialError.unsupported }
        return try own.sharedSecret(with: other)
    }

    /// The same derivation (SEC 1, 3.6.1) for a secret that the library did not make. It has no function for that.
    private static func derive(
        from secret: Data, _ hash: KeyAlgorithm.Hash, count: Int, sharedInfo: Data
    ) throws -> Data {
        func derived<H: HashFunction>(_: H.Type) -> Data {
            var (output, number) = (Data(capacity: count + H.Digest.byteCount), UInt32(1))
            while output.count < count {
                let counter = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
                output.append(contentsOf: H.hash(data: secret + counter + sharedInfo))
                number += 1
            }
            return output.prefix(count)
        }
        return switch hash {
        case .sha1: derived(Insecure.SHA1.self)
        case .sha224: try SystemCrypto.derivedKey(of: secret, sharedInfo: sharedInfo, count: count)
        case .sha256: derived(SHA256.self)
        case .sha384: derived(SHA384.self)
        case .sha512: derived(SHA512.self)
        }
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
