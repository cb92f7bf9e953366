// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Readers
import SwiftASN1

/// The public key of a certificate, for checking signatures: RSA of 2048 bits or more, P-256 or P-384.
enum PublicKey {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)

    init(of certificate: Certificate) throws(ProfileError) {
        let key = certificate.key
        do {
            switch (key.algorithm, key.curve) {
            case (OID.rsaEncryption, _):
                self = .rsa(try .init(derRepresentation: certificate.fields.subjectPublicKeyInfo))
            case (OID.ecPublicKey, OID.p256): self = .p256(try .init(x963Representation: key.bits))
            case (OID.ecPublicKey, OID.p384): self = .p384(try .init(x963Representation: key.bits))
            default: throw ProfileError(.algorithm, "a key of a kind that is not accepted")
            }
        } catch let error as ProfileError {
            throw error
        } catch {
            throw ProfileError(.algorithm, "a public key that can't be used: RSA of 2048 bits or more, P-256 or P-384")
        }
    }

    /// Whether this key made `signature` over `bytes`. Also false for a scheme of another kind of key.
    func isValid(
        _ signature: ArraySlice<UInt8>, over bytes: [UInt8], scheme: SignatureAlgorithm.Scheme,
        digest: DigestAlgorithm
    ) -> Bool {
        switch digest {
        case .sha1: isValid(signature, scheme: scheme, digest: Insecure.SHA1.hash(data: bytes))
        case .sha256: isValid(signature, scheme: scheme, digest: SHA256.hash(data: bytes))
        case .sha384: isValid(signature, scheme: scheme, digest: SHA384.hash(data: bytes))
        case .sha512: isValid(signature, scheme: scheme, digest: SHA512.hash(data: bytes))
        }
    }

    private func isValid(
        _ signature: ArraySlice<UInt8>, scheme: SignatureAlgorithm.Scheme, digest: some Digest
    ) -> Bool {
        switch (self, scheme) {
        case (.rsa(let key), .rsa):
            return key.isValidSignature(
                .init(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
        case (.p256(let key), .ecdsa):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        case (.p384(let key), .ecdsa):
            guard let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        default: return false
        }
    }
}
