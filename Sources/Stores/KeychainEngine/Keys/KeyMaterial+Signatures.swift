// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
package import Foundation
package import SecurityTypes

extension KeyMaterial {
    /// Signs a message or a digest, depending on the algorithm.
    package func sign(_ input: Data, _ algorithm: KeyAlgorithm) throws -> Data {
        switch (self, algorithm.operation) {
        case (.p256(let key), .ecdsaSignature(let form, let kind, let hash)):
            return try Self.sign(input, form: form, kind: kind, hash: hash, P256.self, key: key)
        case (.tpm(let key), .ecdsaSignature(let form, let kind, let hash)):
            return try Self.withEllipticDigest(of: input, kind: kind, hash: hash) { try key.sign($0, form) }
        case (.p384(let key), .ecdsaSignature(let form, let kind, let hash)):
            return try Self.sign(input, form: form, kind: kind, hash: hash, P384.self, key: key)
        case (.p521(let key), .ecdsaSignature(let form, let kind, let hash)):
            return try Self.sign(input, form: form, kind: kind, hash: hash, P521.self, key: key)
        case (.rsa(let key), .rsaSignature(let padding, let kind, let hash)):
            return try Self.sign(input, padding: padding, kind: kind, hash: hash, key: key)
        default: throw KeyMaterialError.unsupported
        }
    }

    /// Whether `signature` was made by this key, or by its private half.
    package func verify(_ signature: Data, of input: Data, _ algorithm: KeyAlgorithm) throws -> Bool {
        switch (publicKey, algorithm.operation) {
        case (.p256Public(let key), .ecdsaSignature(let form, let kind, let hash)):
            return try Self.verify(signature, of: input, form: form, kind: kind, hash: hash, P256.self, key: key)
        case (.p384Public(let key), .ecdsaSignature(let form, let kind, let hash)):
            return try Self.verify(signature, of: input, form: form, kind: kind, hash: hash, P384.self, key: key)
        case (.p521Public(let key), .ecdsaSignature(let form, let kind, let hash)):
            return try Self.verify(signature, of: input, form: form, kind: kind, hash: hash, P521.self, key: key)
        case (.rsaPublic(let key), .rsaSignature(let padding, let kind, let hash)):
            guard let hash, hash != .sha224, let padding = padding.value else {
                let block = try Self.systemInput(input, padding: padding, kind: kind, hash: hash, key: key)
                return SystemCrypto.isValid(
                    signature, padding: padding.system, hash: hash?.rawValue, key: key.derRepresentation, input: block)
            }
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return try Self.withDigest(of: input, kind: kind, hash: hash) { digest in
                key.isValidSignature(signature, for: digest, padding: padding)
            }
        default: throw KeyMaterialError.unsupported
        }
    }

    private static func sign<Curve: EllipticCurve>(
        _ input: Data, form: KeyAlgorithm.SignatureForm, kind: KeyAlgorithm.Input, hash: KeyAlgorithm.Hash?,
        _: Curve.Type, key: Curve.SigningKey
    ) throws -> Data {
        try withEllipticDigest(of: input, kind: kind, hash: hash) { digest in try Curve.sign(digest, with: key, form) }
    }

    private static func verify<Curve: EllipticCurve>(
        _ signature: Data, of input: Data, form: KeyAlgorithm.SignatureForm, kind: KeyAlgorithm.Input,
        hash: KeyAlgorithm.Hash?, _: Curve.Type, key: Curve.VerifyingKey
    ) throws -> Bool {
        try withEllipticDigest(of: input, kind: kind, hash: hash) { Curve.verify(signature, form, of: $0, with: key) }
    }

    private static func sign(
        _ input: Data, padding: KeyAlgorithm.Padding, kind: KeyAlgorithm.Input, hash: KeyAlgorithm.Hash?,
        key: _RSA.Signing.PrivateKey
    ) throws -> Data {
        guard let hash, hash != .sha224, let own = padding.value else {
            return try SystemCrypto.rsa(
                .sign, padding: padding.system, hash: hash?.rawValue, key: key.derRepresentation,
                input: try systemInput(input, padding: padding, kind: kind, hash: hash, key: key.publicKey))
        }
        return try withDigest(of: input, kind: kind, hash: hash) { digest in
            do { return try key.signature(for: digest, padding: own).rawRepresentation } catch {
                throw KeyMaterialError.input
            }
        }
    }

    /// A digest, or the block that the caller padded.
    private static func systemInput(
        _ input: Data, padding: KeyAlgorithm.Padding, kind: KeyAlgorithm.Input, hash: KeyAlgorithm.Hash?,
        key: _RSA.Signing.PublicKey
    ) throws -> Data {
        guard let hash else { return try key.block(of: input, padding == .none) }
        return try withDigest(of: input, kind: kind, hash: hash) { Data($0) }
    }

    /// ECDSA uses the digest as bytes, so its type does not matter.
    private static func withEllipticDigest<R>(
        of input: Data, kind: KeyAlgorithm.Input, hash: KeyAlgorithm.Hash?, _ body: (any Digest) throws -> R
    ) throws -> R {
        guard kind == .digest else {
            guard let hash else { throw KeyMaterialError.unsupported }
            return try withDigest(of: input, kind: kind, hash: hash, body)
        }
        if let hash, input.count != hash.byteCount { throw KeyMaterialError.input }
        guard (1...128).contains(input.count) else { throw KeyMaterialError.input }
        return try body(RawDigest(bytes: Array(input)))
    }

    private static func withDigest<R>(
        of input: Data, kind: KeyAlgorithm.Input, hash: KeyAlgorithm.Hash, _ body: (any Digest) throws -> R
    ) throws -> R {
        switch hash {
        case .sha1: return try body(digest(of: input, kind, Insecure.SHA1.self))
        case .sha256: return try body(digest(of: input, kind, SHA256.self))
        case .sha384: return try body(digest(of: input, kind, SHA384.self))
        case .sha512: return try body(digest(of: input, kind, SHA512.self))
        case .sha224:
            guard kind == .message || input.count == hash.byteCount else { throw KeyMaterialError.input }
            return try body(RawDigest(bytes: kind == .digest ? Array(input) : try SystemCrypto.sha224(input)))
        }
    }

    private static func digest<H: HashFunction>(
        of input: Data, _ kind: KeyAlgorithm.Input, _: H.Type
    ) throws -> H.Digest {
        guard kind == .digest else { return H.hash(data: input) }
        guard input.count == H.Digest.byteCount else { throw KeyMaterialError.input }
        guard let digest = GivenDigest.make(H.self, from: input) else { throw KeyMaterialError.unsupported }
        return digest
    }
}

extension KeyAlgorithm.Padding {
    /// The padding in swift-crypto; nil if it has none.
    fileprivate var value: _RSA.Signing.Padding? {
        switch self {
        case .pkcs1v15: .insecurePKCS1v1_5
        case .pss: .PSS
        case .none: nil
        }
    }

    fileprivate var system: SystemCrypto.RSAPadding {
        switch self {
        case .pkcs1v15: .pkcs1
        case .pss: .pss
        case .none: .none
        }
    }
}

extension KeyAlgorithm.Hash {
    /// Bytes of a digest.
    var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}
