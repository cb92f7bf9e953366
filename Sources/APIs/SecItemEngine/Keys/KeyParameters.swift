// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import KeychainEngine
import SecItem

/// The parameters of a new key: type, size, and the keychain attributes of each half.
struct KeyParameters {
    private let entries: Entries

    /// Whether the private key must stay in a TPM.
    private(set) var isForTPM = false

    init(_ parameters: NSDictionary) throws(KeychainError) {
        entries = try Entries(parameters)
        guard let token = try half(Key.privateAttributes)[Key.tokenID] ?? entries[Key.tokenID] else { return }
        // If a hardware key is requested, none is made in software.
        guard case .text(TPMKey.token) = token else {
            throw KeychainError(.unimplemented, "there is no token of this name here")
        }
        isForTPM = true
    }

    /// Errors: errSecUnimplemented: a TPM has no keys of this type. errSecKeySizeNotAllowed, errSecParam.
    func checkFitsTPM() throws(KeychainError) {
        guard try family() == .ec else {
            throw KeychainError(.unimplemented, "the TPM makes keys of P-256 alone")
        }
        guard try sizeInBits() == 256 else {
            throw KeychainError(.keySizeNotAllowed, "the TPM makes keys of P-256 alone")
        }
    }

    /// RSA or an elliptic curve.
    func family() throws(KeychainError) -> KeyMaterial.Family {
        switch try number(Key.keyType) {
        case KeyMaterial.Family.rsa.rawValue: return .rsa
        case KeyMaterial.Family.ec.rawValue: return .ec
        default: throw KeychainError(.unimplemented, "keys of a pair are RSA or kSecAttrKeyTypeECSECPrimeRandom")
        }
    }

    /// Public or private.
    func role() throws(KeychainError) -> KeyMaterial.Role {
        guard let number = try number(Key.keyClass), let role = KeyMaterial.Role(rawValue: number) else {
            throw KeychainError(.parameter, "kSecAttrKeyClass is missing, or not a key class")
        }
        guard role != .symmetric else {
            throw KeychainError(.unimplemented, "a symmetric key is an item with kSecValueData; it has no SecKey")
        }
        return role
    }

    func sizeInBits() throws(KeychainError) -> Int {
        guard let size = try number(Key.keySize) else {
            throw KeychainError(.parameter, "kSecAttrKeySizeInBits is missing, or not a number")
        }
        return Int(clamping: size)
    }

    /// The keychain entries for one half of the pair; nil if it is not to be stored.
    func item(_ half: String, _ key: KeyMaterial) throws(KeychainError) -> Entries? {
        let merged = try merged(half, key)
        return merged[Key.permanent]?.isTrue == true ? merged : nil
    }

    /// The keychain entries for one half of the pair, whether it is to be stored or not.
    func merged(_ half: String, _ key: KeyMaterial) throws(KeychainError) -> Entries {
        var merged = try self.half(half)
        for (name, value) in entries.values where merged[name] == nil { merged.set(name, value) }
        // The public half of a TPM key is an ordinary key.
        if key.role == .public { merged.remove(Key.tokenID) }
        for name in [Key.privateAttributes, Key.publicAttributes, Key.keyClass, Key.keyType, Key.keySize] {
            merged.remove(name)
        }
        merged.set(Key.itemClass, .text(ItemClass.key.rawValue))
        merged.set(Key.reference, .other(SecKey(key)))
        return merged
    }

    /// The label, tag and application label of the private key.
    func names() throws(KeychainError) -> Attributes {
        let own = try half(Key.privateAttributes)
        let table = AttributeTable.of(.key)
        var attributes: Attributes = [:]
        for name: AttributeName in [.label, .applicationTag, .applicationLabel] {
            guard let value = own[name.text] ?? entries[name.text] else { continue }
            attributes[name] = try table.coerce(value.given, for: name)
        }
        return attributes
    }

    private func half(_ name: String) throws(KeychainError) -> Entries {
        guard let value = entries[name] else { return try Entries([:]) }
        guard case .other(let object) = value, let dictionary = object as? NSDictionary else {
            throw KeychainError(.parameter, "the attributes of one half of a key are a dictionary")
        }
        return try Entries(dictionary)
    }

    private func number(_ name: String) throws(KeychainError) -> Int64? {
        guard let value = entries[name] else { return nil }
        let attribute = AttributeName(name)
        guard case .number(let number) = try AttributeTable.of(.key).coerce(value.given, for: attribute) else {
            return nil
        }
        return number
    }
}
#endif
