// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import GuardChannels
import KeychainEngine
import Logging
import Readers
import SecItem
import SecurityTypes

extension ItemEngine {
    func randomKey(_ parameters: CFDictionary, _ error: ErrorPointer) -> SecKey? {
        unsafe KeyOperation.result(error) {
            let parameters = try KeyParameters(parameters)
            if parameters.isForTPM { return try Self.keyInTPM(parameters) }
            let material = try KeyMaterial.generate(try parameters.family(), sizeInBits: try parameters.sizeInBits())
            if material.family == .rsa, material.sizeInBits < 2048 { Self.shortKeyWarning }
            var items: [Entries] = []
            if let item = try parameters.item(Key.privateAttributes, material) { items.append(item) }
            if let publicKey = material.publicKey, let item = try parameters.item(Key.publicAttributes, publicKey) {
                items.append(item)
            }
            if !items.isEmpty { try ItemFunctions(try CurrentItems.current).add(together: items) }
            return SecKey(material, try parameters.names())
        }
    }

    /// Makes a key in a TPM. Each use of it checks the lock and prompts again.
    private static func keyInTPM(_ parameters: KeyParameters) throws -> SecKey {
        try parameters.checkFitsTPM()
        let home = try Home.current
        guard let made = try TPMKey.make(in: home) else { throw KeychainError.noTPM }
        let material = KeyMaterial.tpm(made)
        let privateHalf = try parameters.merged(Key.privateAttributes, material)
        let query = try QueryReader.read(privateHalf, for: .add)
        var items: [Entries] = []
        let isStored = try parameters.item(Key.privateAttributes, material) != nil
        if isStored { items.append(privateHalf) }
        if let publicKey = material.publicKey, let item = try parameters.item(Key.publicAttributes, publicKey) {
            items.append(item)
        }
        let added = items.isEmpty ? [] : try ItemFunctions(.home(home)).add(together: items)
        let store = try ItemStore.of(home)
        let key: TPMKey
        if isStored, let item = added.first, let reference = item.persistentReference {
            key = try store.tpmKey(reference, item.attributes, query.laterPrompt)
        } else {
            key = try store.hold(try query.newItem(), query.laterPrompt)
        }
        return SecKey(.tpm(key), try parameters.names())
    }

    private static let shortKeyWarning: Void = Answer.logger.warning(
        "SecKeyCreateRandomKey made an RSA key of fewer than 2048 bits, which is too weak today; ask for 3072")

    func key(_ data: CFData, attributes: CFDictionary, error: ErrorPointer) -> SecKey? {
        unsafe KeyOperation.result(error) {
            let parameters = try KeyParameters(attributes)
            guard !parameters.isForTPM else {
                throw KeychainError(.unimplemented, "a key in a TPM is made there; no bytes are one")
            }
            let material = try KeyMaterial(
                try parameters.family(), try parameters.role(), externalRepresentation: Data(referencing: data))
            return SecKey(material, try parameters.names())
        }
    }

    func key(of certificate: SecCertificate) -> SecKey? {
        if let key = try? KeyMaterial(subjectPublicKeyInfo: Data(certificate.fields.subjectPublicKeyInfo)) {
            return SecKey(key)
        }
        if let name = try? certificate.fields.publicKey.name {
            Answer.logger.warning("SecCertificateCopyKey: the certificate's key is \(name), which is not supported")
        }
        return nil
    }

    func importPKCS12(
        _ data: CFData, options: CFDictionary, items: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus {
        guard case .text(let passphrase)? = try? Entries(options)["passphrase"] else { return errSecPassphraseRequired }
        do {
            let file = try PKCS12(file: Data(referencing: data), passphrase: passphrase)
            unsafe items.pointee = ImportedFile(file).dictionaries as NSArray
            return errSecSuccess
        } catch {
            if error == .unsupportedEncryption { Answer.logger.warning("\(PKCS12Error.remedy)") }
            return KeychainError(error).code.rawValue
        }
    }
}
#endif
