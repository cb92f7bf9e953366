// SPDX-License-Identifier: Apache-2.0

import DataProtection
public import KeychainEngine
import SecretMemory
import SecurityTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension KeyItem {
    /// A signature algorithm. It must fit the key's type. Any digest may be used with any curve.
    public struct SignatureAlgorithm: Hashable, Sendable {
        private enum Way: Hashable { case ecdsa, ed25519, pkcs1, pss }

        private let way: Way
        /// The digest's size in bits. 0: the algorithm has its own digest.
        private let bits: Int

        private init(_ way: Way, _ bits: Int = 0) { (self.way, self.bits) = (way, bits) }

        /// ECDSA with SHA-256 (FIPS 186-5); the signature is DER (RFC 3279, section 2.2.3).
        public static let ecdsaSHA256 = Self(.ecdsa, 256)
        /// ECDSA with SHA-384; DER.
        public static let ecdsaSHA384 = Self(.ecdsa, 384)
        /// ECDSA with SHA-512; DER.
        public static let ecdsaSHA512 = Self(.ecdsa, 512)
        /// Ed25519 (RFC 8032); 64 bytes.
        public static let ed25519 = Self(.ed25519)
        /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2); as many bytes as the key has.
        public static let rsaPKCS1SHA256 = Self(.pkcs1, 256)
        /// RSASSA-PKCS1-v1_5 with SHA-384.
        public static let rsaPKCS1SHA384 = Self(.pkcs1, 384)
        /// RSASSA-PKCS1-v1_5 with SHA-512.
        public static let rsaPKCS1SHA512 = Self(.pkcs1, 512)
        /// RSASSA-PSS with SHA-256 (RFC 8017, section 8.1), with the same digest for the mask and a salt as long
        /// as the digest;
        /// as many bytes as the key has.
        public static let rsaPSSSHA256 = Self(.pss, 256)
        /// RSASSA-PSS with SHA-384.
        public static let rsaPSSSHA384 = Self(.pss, 384)
        /// RSASSA-PSS with SHA-512.
        public static let rsaPSSSHA512 = Self(.pss, 512)

        fileprivate func sign(_ message: Data, with key: KeyMaterial) throws -> Data {
            guard let algorithm else { return try key.ed25519Signed(message) }
            guard key.supports(.sign, algorithm) else { throw KeyMaterialError.unsupported }
            return try key.sign(message, algorithm)
        }

        private var algorithm: KeyAlgorithm? {
            switch way {
            case .ecdsa: KeyAlgorithm("algid:sign:ECDSA:message-X962:SHA\(bits)")
            case .pkcs1: KeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA\(bits)")
            case .pss: KeyAlgorithm("algid:sign:RSA:message-PSS:SHA\(bits):SHA\(bits):\(bits / 8)")
            case .ed25519: nil
            }
        }
    }

    /// Signs a message with a private key that was found with its secret.
    ///
    /// The key is in ordinary memory during the signature. The stack and the freed blocks are cleared afterwards.
    ///
    /// This works with the item's secret, even after a lock. If a lock should prevent signatures, find the item again
    /// for each one.
    ///
    /// Errors: `.parameter` if the item is no private key, has no secret (it was not requested), is of another type
    /// than the algorithm, or is too short for its digest; `.damaged` if the bytes are not a key of this type;
    /// `.notAvailable` after fork.
    public func signature(for message: Data, _ algorithm: SignatureAlgorithm) throws(KeychainError) -> Data {
        let signature: Data?
        do {
            signature = try ClearedScope.run(depth: ClearedScope.depthOfMany) {
                guard let key = try material(), key.role == .private else { return nil }
                return try algorithm.sign(message, with: key)
            }
        } catch let error as KeychainError { throw error } catch let error as DataProtectionError {
            // An error of the TPM that the key is in.
            throw KeychainError(error)
        } catch {
            throw KeychainError(.parameter, "the key makes no signatures of this kind")
        }
        guard let signature else {
            throw KeychainError(.parameter, "the item is not a private key that was found with its secret")
        }
        return signature
    }
}
