// SPDX-License-Identifier: Apache-2.0

import Keychains
import NIOSSL

/// The ways to sign of TLS 1.2 and 1.3 (RFC 8446, section 4.2.3) that keys of the keychain know, and what they are called there.
enum KeyAlgorithms {
    /// In the order in which they are preferred.
    static let all: [SignatureAlgorithm] = curves + [.ed25519] + rsa

    /// TLS 1.2 doesn't tie the digest to the curve.
    private static let curves: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .ecdsaSecp384R1Sha384, .ecdsaSecp521R1Sha512,
    ]
    private static let rsa: [SignatureAlgorithm] = [
        .rsaPssRsaeSha256, .rsaPssRsaeSha384, .rsaPssRsaeSha512, .rsaPkcs1Sha256, .rsaPkcs1Sha384, .rsaPkcs1Sha512,
    ]

    /// Of a key; empty: it signs nothing.
    static func of(_ type: KeyItem.KeyType?) -> [SignatureAlgorithm] {
        switch type {
        case .ellipticCurve: curves
        case .ed25519: [.ed25519]
        case .rsa: rsa
        case .x25519, nil: []
        }
    }

    /// What the keychain calls it; nil: it has no such.
    static func ofKeychain(_ algorithm: SignatureAlgorithm) -> KeyItem.SignatureAlgorithm? {
        switch algorithm {
        case .ecdsaSecp256R1Sha256: .ecdsaSHA256
        case .ecdsaSecp384R1Sha384: .ecdsaSHA384
        case .ecdsaSecp521R1Sha512: .ecdsaSHA512
        case .ed25519: .ed25519
        case .rsaPssRsaeSha256: .rsaPSSSHA256
        case .rsaPssRsaeSha384: .rsaPSSSHA384
        case .rsaPssRsaeSha512: .rsaPSSSHA512
        case .rsaPkcs1Sha256: .rsaPKCS1SHA256
        case .rsaPkcs1Sha384: .rsaPKCS1SHA384
        case .rsaPkcs1Sha512: .rsaPKCS1SHA512
        default: nil
        }
    }
}
