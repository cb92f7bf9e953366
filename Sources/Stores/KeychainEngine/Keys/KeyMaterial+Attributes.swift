// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation

extension KeyMaterial {
    /// SHA-1 of the public half's representation: what joins a private key with its certificates. nil for symmetric keys.
    package var publicKeyHash: [UInt8]? {
        publicKey.map { Array(Insecure.SHA1.hash(data: $0.externalRepresentation)) }
    }

    /// What the keychain says of such a key when nobody says otherwise.
    package var itemAttributes: Attributes {
        guard let publicKeyHash else { return [AttributeName.keyClass: .number(role.rawValue)] }
        var attributes: Attributes = [
            .keyClass: .number(role.rawValue), .type: .number(family.rawValue), .applicationLabel: .data(publicKeyHash),
            .keySize: .number(Int64(sizeInBits)), .effectiveKeySize: .number(Int64(sizeInBits)),
        ]
        let isPrivate = role == .private
        for name in Self.always { attributes[name] = .number(1) }
        for name in Self.never { attributes[name] = .number(0) }
        for name in Self.ofPrivateKeys { attributes[name] = .number(isPrivate ? 1 : 0) }
        for name in Self.ofPublicKeys { attributes[name] = .number(isPrivate ? 0 : 1) }
        return attributes
    }

    /// The attributes that tell this key from others of its class.
    package var identifyingAttributes: Attributes {
        itemAttributes.filter { [.keyClass, .type, .applicationLabel, .keySize, .effectiveKeySize].contains($0.key) }
    }

    private static let always: [AttributeName] = ["perm", "modi", "extr", "drve"]
    private static let never: [AttributeName] = ["sens", "asen", "next", "snrc", "vyrc"]
    private static let ofPrivateKeys: [AttributeName] = ["priv", "decr", "sign", "unwp"]
    private static let ofPublicKeys: [AttributeName] = ["encr", "vrfy", "wrap"]

    /// The key of a keychain item, from its attributes `type` and `kcls` and its secret; nil when these say nothing of a
    /// key pair. Throws when they do, and the bytes are no such key.
    package init?(_ attributes: Attributes, _ bytes: Data) throws {
        guard case .number(let type) = attributes[.type], let family = Family(rawValue: type),
            case .number(let keyClass) = attributes[.keyClass], let role = Role(rawValue: keyClass), role != .symmetric,
            family != .symmetric
        else { return nil }
        try self.init(family, role, externalRepresentation: bytes)
    }
}
