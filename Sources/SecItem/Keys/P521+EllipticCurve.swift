// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

extension P521: EllipticCurve {
    typealias SigningKey = P521.Signing.PrivateKey
    typealias VerifyingKey = P521.Signing.PublicKey

    static var bitCount: Int { 521 }

    static func generate() throws -> SigningKey { SigningKey() }
    static func signingKey(x963: Data) throws -> SigningKey { try SigningKey(x963Representation: x963) }
    static func verifyingKey(x963: Data) throws -> VerifyingKey { try VerifyingKey(x963Representation: x963) }
    static func publicKey(of key: SigningKey) -> VerifyingKey { key.publicKey }
    static func x963(of key: SigningKey) -> Data { key.x963Representation }
    static func x963(of key: VerifyingKey) -> Data { key.x963Representation }
    static func der(of key: SigningKey) -> Data { key.derRepresentation }
    static func der(of key: VerifyingKey) -> Data { key.derRepresentation }
    static func signingKey(der: Data) throws -> SigningKey { try SigningKey(derRepresentation: der) }
    static func verifyingKey(der: Data) throws -> VerifyingKey { try VerifyingKey(derRepresentation: der) }

    static func sign(_ digest: some Digest, with key: SigningKey) throws -> Data {
        try key.signature(for: digest).rawRepresentation
    }

    static func der(ofRaw signature: Data) throws -> Data {
        try Signing.ECDSASignature(rawRepresentation: signature).derRepresentation
    }

    static func raw(ofDER signature: Data) throws -> Data {
        try Signing.ECDSASignature(derRepresentation: signature).rawRepresentation
    }

    static func verify(_ signature: Data, of digest: some Digest, with key: VerifyingKey) -> Bool {
        guard let signature = try? Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: digest)
    }

    static func sharedSecret(of key: SigningKey, with peer: VerifyingKey) throws -> SharedSecret {
        let own = try KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation)
        return try own.sharedSecretFromKeyAgreement(with: .init(x963Representation: peer.x963Representation))
    }
}
