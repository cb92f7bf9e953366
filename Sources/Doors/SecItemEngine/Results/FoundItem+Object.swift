// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import SecItem

extension FoundItem {
    /// The object that a reference to this item is; nil for passwords, symmetric keys and items without secret.
    ///
    /// Errors: errSecDecode when the bytes are not what the attributes say.
    func object(_ data: NSData?) throws(KeychainError) -> CFTypeRef? {
        guard let data, !itemClass.isPassword else { return nil }
        switch itemClass {
        case .certificate: return try certificateObject(data)
        case .key: return try keyObject(data)
        case .identity:
            guard let der = try certificate?.exposingData(), let key = try keyObject(data) else { return nil }
            return SecIdentity(try certificateObject(der), key)
        case .genericPassword, .internetPassword: return nil
        }
    }

    private func certificateObject(_ der: NSData) throws(KeychainError) -> SecCertificate {
        guard let object = SecCertificate(der: Data(referencing: der)) else {
            throw KeychainError(.damaged, "the item holds no X.509 certificate")
        }
        return object
    }

    private func keyObject(_ data: NSData) throws(KeychainError) -> SecKey? {
        do {
            return try KeyMaterial(attributes, Data(referencing: data)).map { SecKey($0, attributes) }
        } catch { throw KeychainError(.damaged, "the item holds no key of the type that its attributes say") }
    }
}
#endif
