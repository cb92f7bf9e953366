import CryptoSwift

enum Keys {
    static func derive(password: String, salt: [UInt8]) throws -> [UInt8] {
        try PKCS5.PBKDF2(password: Array(password.utf8), salt: salt, iterations: 600_000, variant: .sha2(.sha256)).calculate()
    }

    /// The specification names the salt.
    static func seed(words: String, passphrase: String) throws -> [UInt8] {
        try PKCS5.PBKDF2(password: Array(words.utf8), salt: Array("mnemonic".utf8) + Array(passphrase.utf8), iterations: 2048).calculate()
    }

    static func expand(_ key: SymmetricKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: Data("label of the app".utf8), outputByteCount: 32)
    }
}
