// SPDX-License-Identifier: Apache-2.0

package import SecurityTypes

extension KeyMaterial {
    /// What a key is asked to do.
    package enum Use: Sendable { case sign, verify, encrypt, decrypt, exchange }

    /// Whether this key can do that. Private keys sign, decrypt and agree; public keys verify and encrypt.
    package func supports(_ use: Use, _ algorithm: KeyAlgorithm) -> Bool {
        fits(use, algorithm) && (!algorithm.needsSystemCrypto || SystemCrypto.isAvailable)
    }

    private func fits(_ use: Use, _ algorithm: KeyAlgorithm) -> Bool {
        switch (use, algorithm.operation) {
        case (.sign, .ecdsaSignature), (.exchange, .keyExchange), (.decrypt, .ecies): family == .ec && role == .private
        case (.verify, .ecdsaSignature), (.encrypt, .ecies): family == .ec && role == .public
        case (.sign, .rsaSignature), (.decrypt, .rsaEncryption), (.decrypt, .rsaHybrid):
            family == .rsa && role == .private
        case (.verify, .rsaSignature), (.encrypt, .rsaEncryption), (.encrypt, .rsaHybrid):
            family == .rsa && role == .public
        default: false
        }
    }
}

extension KeyAlgorithm {
    /// What swift-crypto has no public function for: SHA-224 and RSA with it, other digests of OAEP, RSA without padding or without naming a
    /// digest.
    package var needsSystemCrypto: Bool {
        switch operation {
        case .rsaSignature(_, _, let hash): hash == nil || hash == .sha224
        case .ecdsaSignature(_, let input, let hash): hash == .sha224 && input == .message
        case .rsaEncryption(.oaep(let hash)), .rsaHybrid(let hash): hash != .sha1 && hash != .sha256
        case .rsaEncryption(let padding): padding == .none
        case .keyExchange(let hash): hash == .sha224
        case .ecies(let hash, _): hash == .sha224
        case .unsupported: false
        }
    }
}
