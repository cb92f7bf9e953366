// SPDX-License-Identifier: Apache-2.0

package import SecurityTypes

extension KeyMaterial {
    /// What a key is asked to do.
    package enum Use: Sendable { case sign, verify, encrypt, decrypt, exchange }

    /// Whether this key can do that. Private keys sign, decrypt and agree; public keys verify and encrypt.
    package func supports(_ use: Use, _ algorithm: KeyAlgorithm) -> Bool {
        switch (use, algorithm.operation) {
        case (.sign, .ecdsaSignature), (.exchange, .keyExchange): family == .ec && role == .private
        case (.verify, .ecdsaSignature): family == .ec && role == .public
        case (.sign, .rsaSignature), (.decrypt, .rsaEncryption): family == .rsa && role == .private
        case (.verify, .rsaSignature), (.encrypt, .rsaEncryption): family == .rsa && role == .public
        default: false
        }
    }
}
