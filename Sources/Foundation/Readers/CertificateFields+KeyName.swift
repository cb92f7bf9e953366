// SPDX-License-Identifier: Apache-2.0

#if Keychain
package import SwiftASN1

extension CertificateFields.PublicKey {
    /// A short name of the kind of key, for messages that it can't be used.
    package var name: String { Self.name(algorithm, curve) }

    /// - Parameter curve: The curve of an elliptic-curve key; nil if the key spells out the parameters of the curve.
    package static func name(_ algorithm: ASN1ObjectIdentifier, _ curve: ASN1ObjectIdentifier?) -> String {
        guard algorithm == .ellipticCurveKey else { return algorithms[algorithm] ?? "of the algorithm \(algorithm)" }
        guard let curve else { return "on an elliptic curve given by its parameters" }
        return curves[curve] ?? "on the elliptic curve \(curve)"
    }

    private static let algorithms: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 1]: "RSA", [1, 2, 840, 113549, 1, 1, 10]: "RSA-PSS",
        [1, 2, 840, 10040, 4, 1]: "DSA", [1, 2, 840, 113549, 1, 3, 1]: "Diffie-Hellman", [1, 3, 101, 110]: "X25519",
        [1, 3, 101, 111]: "X448", [1, 3, 101, 112]: "Ed25519", [1, 3, 101, 113]: "Ed448",
        [2, 16, 840, 1, 101, 3, 4, 3, 17]: "ML-DSA-44", [2, 16, 840, 1, 101, 3, 4, 3, 18]: "ML-DSA-65",
        [2, 16, 840, 1, 101, 3, 4, 3, 19]: "ML-DSA-87",
    ]

    private static let curves: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 10045, 3, 1, 1]: "P-192", [1, 3, 132, 0, 33]: "P-224", [1, 2, 840, 10045, 3, 1, 7]: "P-256",
        [1, 3, 132, 0, 34]: "P-384", [1, 3, 132, 0, 35]: "P-521", [1, 3, 132, 0, 10]: "secp256k1",
        [1, 3, 36, 3, 3, 2, 8, 1, 1, 7]: "brainpoolP256r1", [1, 3, 36, 3, 3, 2, 8, 1, 1, 11]: "brainpoolP384r1",
        [1, 3, 36, 3, 3, 2, 8, 1, 1, 13]: "brainpoolP512r1",
    ]
}

extension ASN1ObjectIdentifier {
    package static let ellipticCurveKey: Self = [1, 2, 840, 10045, 2, 1]
}
#endif
