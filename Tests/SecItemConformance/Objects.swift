// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

func object(_ data: Data, _ type: CFString, _ keyClass: CFString = kSecAttrKeyClassPrivate) throws -> SecKey {
    let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass] as CFDictionary
    let key = SecKeyCreateWithData(data as CFData, attributes, nil)
    return try #require(key)
}

/// A certificate to add, by reference.
func certificate(_ der: Data) throws -> Item {
    [kSecValueRef: try #require(SecCertificateCreateWithData(nil, der as CFData))]
}

/// The private key of `Material.leaf` to add, by reference.
func privateKey() throws -> Item { [kSecValueRef: try object(Material.leafKey, kSecAttrKeyTypeECSECPrimeRandom)] }

/// What SecPKCS12Import makes of a file.
func imported(_ file: Data, _ passphrase: String? = "zamok") -> (status: OSStatus, items: [[String: Any]]) {
    var items: CFArray?
    let options: [CFString: Any] = passphrase.map { [kSecImportExportPassphrase: $0] } ?? [:]
    let status = unsafe SecPKCS12Import(file as CFData, options as CFDictionary, &items)
    return (status, items as? [[String: Any]] ?? [])
}

/// The identity in `Material.identityFile`.
func identity() throws -> SecIdentity {
    try #require(imported(Material.identityFile).items.first?["identity"] as? SecIdentity)
}

/// The representation of a key.
func representation(_ key: SecKey?) -> Data? { key.flatMap { SecKeyCopyExternalRepresentation($0, nil) as Data? } }
