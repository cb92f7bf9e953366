// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// One of the NIST curves, with what keys need of it; representations are X9.63 (SEC 1).
protocol EllipticCurve {
    associatedtype SigningKey: Sendable
    associatedtype VerifyingKey: Sendable

    static var bitCount: Int { get }
    static func generate() throws -> SigningKey
    static func signingKey(x963: Data) throws -> SigningKey
    static func verifyingKey(x963: Data) throws -> VerifyingKey
    static func publicKey(of key: SigningKey) -> VerifyingKey
    static func x963(of key: SigningKey) -> Data
    static func x963(of key: VerifyingKey) -> Data
    /// r || s.
    static func sign(_ digest: some Digest, with key: SigningKey) throws -> Data
    /// DER of the signature r || s.
    static func der(ofRaw signature: Data) throws -> Data
    /// r || s of the signature in DER.
    static func raw(ofDER signature: Data) throws -> Data
    static func verify(_ signature: Data, of digest: some Digest, with key: VerifyingKey) -> Bool
    static func sharedSecret(of key: SigningKey, with peer: VerifyingKey) throws -> SharedSecret
    /// PKCS#8 of the private key.
    static func der(of key: SigningKey) -> Data
    /// SubjectPublicKeyInfo of the public key.
    static func der(of key: VerifyingKey) -> Data
    static func signingKey(der: Data) throws -> SigningKey
    static func verifyingKey(der: Data) throws -> VerifyingKey
}

extension EllipticCurve {
    /// Bytes of a coordinate.
    static var fieldSize: Int { (bitCount + 7) / 8 }
}
