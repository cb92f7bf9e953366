// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Readers
import SecurityTypes
import SwiftASN1

/// One of the NIST curves, with the operations for signatures and key exchange.
protocol EllipticCurve {
    associatedtype SigningKey: Sendable
    associatedtype VerifyingKey: Sendable

    static var bitCount: Int { get }
    static func sign(
        _ digest: some Digest, with key: SigningKey, _ form: KeyAlgorithm.SignatureForm
    ) throws -> Data
    static func verify(
        _ signature: Data, _ form: KeyAlgorithm.SignatureForm, of digest: some Digest, with key: VerifyingKey
    ) -> Bool
    static func sharedSecret(of key: SigningKey, with peer: VerifyingKey) throws -> SharedSecret
}

extension EllipticCurve {
    /// Bytes of a coordinate.
    static var fieldSize: Int { (bitCount + 7) / 8 }
}

/// The curve that an encoded key names. swift-crypto checks only the length of a private key's number, and would accept
/// another 256-bit curve as P-256.
/// For public keys it accepts explicit curve parameters.
enum EncodedCurve: Equatable {
    /// No curve is named, or these bytes are not a private key in PKCS#8 or SEC 1.
    case unnamed
    /// P-256, P-384 or P-521.
    case bits(Int)
    /// Any other curve.
    case other

    init(privateKeyDER der: Data) {
        self = .unnamed
        guard let parts = Self.parts(der) else { return }
        for part in parts {
            // PKCS#8 (RFC 5958): AlgorithmIdentifier of ecPublicKey; a [0] after it is something else. SEC 1 (RFC
            // 5915): the curve alone, in [0].
            // Anything but a name there is explicit curve parameters, which an attacker can choose so that they betray
            // the key (CVE-2020-0601).
            if let algorithm = try? part.parts(2...2), (try? algorithm[0].objectIdentifier()) == .ellipticCurveKey {
                self = Self.named(try? algorithm[1].objectIdentifier())
                return
            } else if let curve = try? part.explicit(0) {
                self = Self.named(try? curve.objectIdentifier())
            }
        }
    }

    /// The public keys stored beside a private one, as points: in SEC 1 (RFC 5915), alone or in the octets of PKCS#8,
    /// and in PKCS#8 (RFC 5958).
    static func publicPoints(inPrivateKeyDER der: Data) -> [[UInt8]] {
        guard let parts = parts(der) else { return [] }
        let inner = parts.count > 2 && (try? parts[1].parts()) != nil ? try? parts[2].octets() : nil
        return (parts + (inner.flatMap { Self.parts(Data($0)) } ?? [])).compactMap { part in
            let bits =
                (try? ASN1BitString(derEncoded: try part.explicit(1)))
                ?? (try? ASN1BitString(
                    derEncoded: part, withIdentifier: .init(tagWithNumber: 1, tagClass: .contextSpecific)))
            return bits.map { $0.paddingBits == 0 ? Array($0.bytes) : [] }
        }
    }

    private static func parts(_ der: Data) -> [ASN1Node]? {
        try? ASN1Reading.value(in: Array(der)[...], .der, limit: PKCS12.valueLimit).parts()
    }

    init(subjectPublicKeyInfo der: Data) {
        let key = try? CertificateFields.PublicKey(derEncoded: Array(der))
        self = key?.algorithm == .ellipticCurveKey ? Self.named(key?.curve) : .unnamed
    }

    private static func named(_ identifier: ASN1ObjectIdentifier?) -> Self {
        switch identifier {
        case .p256: .bits(256)
        case .p384: .bits(384)
        case .p521: .bits(521)
        default: .other
        }
    }
}

extension ASN1ObjectIdentifier {
    fileprivate static let p256: Self = [1, 2, 840, 10045, 3, 1, 7]
    fileprivate static let p384: Self = [1, 3, 132, 0, 34]
    fileprivate static let p521: Self = [1, 3, 132, 0, 35]
}

extension P256: EllipticCurve {
    typealias SigningKey = P256.Signing.PrivateKey
    typealias VerifyingKey = P256.Signing.PublicKey

    static var bitCount: Int { 256 }

    static func sign(
        _ digest: some Digest, with key: SigningKey, _ form: KeyAlgorithm.SignatureForm
    ) throws -> Data {
        let signature = try key.signature(for: digest)
        return form == .x962 ? signature.derRepresentation : signature.rawRepresentation
    }

    static func verify(
        _ signature: Data, _ form: KeyAlgorithm.SignatureForm, of digest: some Digest, with key: VerifyingKey
    ) -> Bool {
        let parsed: Signing.ECDSASignature? =
            form == .x962
            ? try? .init(derRepresentation: signature) : try? .init(rawRepresentation: signature)
        guard let parsed else { return false }
        return key.isValidSignature(parsed, for: digest)
    }

    static func sharedSecret(of key: SigningKey, with peer: VerifyingKey) throws -> SharedSecret {
        let own = try KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation)
        return try own.sharedSecretFromKeyAgreement(with: .init(x963Representation: peer.x963Representation))
    }
}

extension P384: EllipticCurve {
    typealias SigningKey = P384.Signing.PrivateKey
    typealias VerifyingKey = P384.Signing.PublicKey

    static var bitCount: Int { 384 }

    static func sign(
        _ digest: some Digest, with key: SigningKey, _ form: KeyAlgorithm.SignatureForm
    ) throws -> Data {
        let signature = try key.signature(for: digest)
        return form == .x962 ? signature.derRepresentation : signature.rawRepresentation
    }

    static func verify(
        _ signature: Data, _ form: KeyAlgorithm.SignatureForm, of digest: some Digest, with key: VerifyingKey
    ) -> Bool {
        let parsed: Signing.ECDSASignature? =
            form == .x962
            ? try? .init(derRepresentation: signature) : try? .init(rawRepresentation: signature)
        guard let parsed else { return false }
        return key.isValidSignature(parsed, for: digest)
    }

    static func sharedSecret(of key: SigningKey, with peer: VerifyingKey) throws -> SharedSecret {
        let own = try KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation)
        return try own.sharedSecretFromKeyAgreement(with: .init(x963Representation: peer.x963Representation))
    }
}

extension P521: EllipticCurve {
    typealias SigningKey = P521.Signing.PrivateKey
    typealias VerifyingKey = P521.Signing.PublicKey

    static var bitCount: Int { 521 }

    static func sign(
        _ digest: some Digest, with key: SigningKey, _ form: KeyAlgorithm.SignatureForm
    ) throws -> Data {
        let signature = try key.signature(for: digest)
        return form == .x962 ? signature.derRepresentation : signature.rawRepresentation
    }

    static func verify(
        _ signature: Data, _ form: KeyAlgorithm.SignatureForm, of digest: some Digest, with key: VerifyingKey
    ) -> Bool {
        let parsed: Signing.ECDSASignature? =
            form == .x962
            ? try? .init(derRepresentation: signature) : try? .init(rawRepresentation: signature)
        guard let parsed else { return false }
        return key.isValidSignature(parsed, for: digest)
    }

    static func sharedSecret(of key: SigningKey, with peer: VerifyingKey) throws -> SharedSecret {
        let own = try KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation)
        return try own.sharedSecretFromKeyAgreement(with: .init(x963Representation: peer.x963Representation))
    }
}
