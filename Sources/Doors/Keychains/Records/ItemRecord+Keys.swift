// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
import Readers

extension ItemRecord {
    /// What a certificate or key says of itself, by name: `serial-number`, `public-key-hash` (both hexadecimal), `key-class`, `key-type`,
    /// `key-size`. Empty for passwords.
    package var details: [(name: String, value: String)] {
        guard itemClass != .genericPassword, itemClass != .internetPassword else { return [] }
        let rows: [(String, String?)] = [
            ("serial-number", hexadecimal(.serialNumber)),
            ("public-key-hash", hexadecimal(.publicKeyHash) ?? hexadecimal(.applicationLabel)),
            ("key-class", number(.keyClass).flatMap(KeyItem.KeyClass.init).map { "\($0)" }),
            ("key-type", number(.type).flatMap(KeyItem.KeyType.init).map { $0 == .rsa ? "rsa" : "elliptic-curve" }),
            ("key-size", number(.keySize).flatMap { $0 == 0 ? nil : String($0) }),
        ]
        return rows.compactMap { name, value in value.map { (name, $0) } }
    }

    /// PEM of what was found with its secret: a certificate, a key, or both of an identity. nil for other items.
    ///
    /// Errors: `.damaged`, `.notAvailable` (after fork).
    package func pem() throws(KeychainError) -> String? {
        var content = ItemContent()
        content.attributes = attributes
        content.secret = secret
        content.certificate = certificate
        switch itemClass {
        case .certificate: return try CertificateItem(content: content).pem()
        case .key: return try KeyItem(content: content).pem()
        case .identity:
            let identity = IdentityItem(content: content)
            guard let certificate = try identity.certificate.pem(), let key = try identity.key.pem() else { return nil }
            return certificate + key
        case .genericPassword, .internetPassword: return nil
        }
    }

    private func hexadecimal(_ name: AttributeName) -> String? {
        guard case .data(let bytes) = attributes[name], !bytes.isEmpty else { return nil }
        return String(hexadecimal: bytes)
    }

    private func number(_ name: AttributeName) -> Int64? {
        guard case .number(let number) = attributes[name] else { return nil }
        return number
    }
}
