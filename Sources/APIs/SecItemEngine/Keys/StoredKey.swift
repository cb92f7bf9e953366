// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import SecItem
import SecurityTypes

/// The content of a SecKey.
final class StoredKey: KeyContent {
    let material: KeyMaterial
    /// Further attributes of the key: label, tag, application label.
    let attributes: Attributes

    init(_ material: KeyMaterial, _ attributes: Attributes) {
        var names: Attributes = [:]
        for name: AttributeName in [.label, .applicationTag, .applicationLabel] { names[name] = attributes[name] }
        self.material = material
        self.attributes = names
    }

    var summary: String { "\(material.family), \(material.role), \(material.sizeInBits) bits" }
    var isRSA: Bool { material.family == .rsa }
    var isPrivate: Bool { material.role == .private }
    var publicBytes: Data? { material.publicKey?.externalRepresentation }
    var externalRepresentation: Data? { material.isInTPM ? nil : material.externalRepresentation }
    var publicKey: SecKey? { material.publicKey.map { SecKey($0) } }
    var blockSize: Int { material.blockSize }

    func isSameHalf(as other: any KeyContent) -> Bool {
        (other as? StoredKey)?.material.role == material.role && publicBytes == other.publicBytes
    }

    func belongs(to certificate: SecCertificate) -> Bool {
        guard material.role == .private, let hash = material.publicKeyHash else { return false }
        return certificate.fields.publicKeyHash == hash
    }

    var attributeDictionary: CFDictionary {
        var result: [String: Any] = [:]
        for (name, value) in material.itemAttributes.merging(attributes, uniquingKeysWith: { $1 }) {
            result[name.text] =
                switch value {
                case .number(let number) where [.keyClass, .type].contains(name): String(number)
                case .number(let number) where [.keySize, .effectiveKeySize].contains(name): Int(number)
                case .number(let number): number != 0
                case .text(let text): text
                case .data(let bytes): Data(bytes)
                case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
                }
        }
        return result as NSDictionary
    }
}

// MARK: Operations

extension StoredKey {
    func supports(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
        let use: KeyMaterial.Use =
            switch operation {
            case .sign: .sign
            case .verify: .verify
            case .encrypt: .encrypt
            case .decrypt: .decrypt
            case .keyExchange: .exchange
            }
        return algorithm.parsed.map { material.supports(use, $0) } ?? false
    }

    func signature(_ algorithm: SecKeyAlgorithm, data: CFData, error: ErrorPointer) -> CFData? {
        unsafe KeyOperation.result(error, use: .sign, material: material, algorithm: algorithm) { algorithm in
            try material.sign(Data(referencing: data), algorithm)
        }
    }

    func isValid(
        _ signature: CFData, of data: CFData, algorithm: SecKeyAlgorithm, error: ErrorPointer
    ) -> Bool {
        let isValid = unsafe KeyOperation.result(error) {
            try material.verify(
                Data(referencing: signature), of: Data(referencing: data),
                try KeyOperation.supported(.verify, material: material, algorithm: algorithm))
        }
        if isValid == false {
            unsafe error.fail(errSecVerifyFailed, "the signature is not this key's over this data")
        }
        return isValid ?? false
    }

    func encrypted(_ algorithm: SecKeyAlgorithm, plaintext: CFData, error: ErrorPointer) -> CFData? {
        unsafe KeyOperation.result(error, use: .encrypt, material: material, algorithm: algorithm) { algorithm in
            try material.encrypt(Data(referencing: plaintext), algorithm)
        }
    }

    func decrypted(_ algorithm: SecKeyAlgorithm, ciphertext: CFData, error: ErrorPointer) -> CFData? {
        unsafe KeyOperation.result(error, use: .decrypt, material: material, algorithm: algorithm) { algorithm in
            try material.decrypt(Data(referencing: ciphertext), algorithm)
        }
    }

    func exchange(
        _ algorithm: SecKeyAlgorithm, with publicKey: SecKey, parameters: CFDictionary, error: ErrorPointer
    ) -> CFData? {
        unsafe KeyOperation.result(error, use: .exchange, material: material, algorithm: algorithm) { algorithm in
            let entries = try Entries(parameters)
            var size: Int64 = 0
            if case .number(let given) = entries[SecKeyKeyExchangeParameter.requestedSize.name] { size = given }
            var info = Data()
            if case .data(let given) = entries[SecKeyKeyExchangeParameter.sharedInfo.name] {
                info = Data(referencing: given)
            }
            guard let peer = publicKey.material.publicKey, peer.family == .ec, peer.sizeInBits == material.sizeInBits
            else { throw KeyMaterialError.input }
            return try material.exchange(with: peer, algorithm, count: Int(clamping: size), sharedInfo: info)
        }
    }
}

extension SecKey {
    convenience init(_ material: KeyMaterial, _ attributes: Attributes = [:]) {
        self.init(StoredKey(material, attributes))
    }

    var material: KeyMaterial { stored.material }

    /// The key's attributes apart from the material.
    var attributes: Attributes { stored.attributes }

    /// All keys are made here.
    private var stored: StoredKey {
        guard let stored = content as? StoredKey else { preconditionFailure("another engine made this key") }
        return stored
    }
}
#endif
