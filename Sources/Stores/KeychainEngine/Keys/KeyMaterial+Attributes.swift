// SPDX-License-Identifier: Apache-2.0

import Crypto
import DataProtection
package import Foundation
package import Readers
import SecretMemory

extension KeyMaterial {
    /// SHA-1 of the public half's representation, which links a private key with its certificates. Nil for
    /// symmetric keys.
    package var publicKeyHash: [UInt8]? {
        publicKey.map { Array(Insecure.SHA1.hash(data: $0.externalRepresentation)) }
    }

    /// The keychain's default attributes of such a key.
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
        if case .tpm(let key) = self {
            attributes[.tokenID] = .text(TPMKey.token)
            attributes[.tokenObject] = .data(Array(key.publicKey.x963Representation))
            attributes["extr"] = .number(0)
            for name in Self.ofKeysThatStay { attributes[name] = .number(1) }
        }
        return attributes
    }

    /// The attributes that distinguish this key from others of its class.
    package var identifyingAttributes: Attributes {
        itemAttributes.filter {
            [.keyClass, .type, .applicationLabel, .keySize, .effectiveKeySize, .tokenID].contains($0.key)
        }
    }

    private static let always: [AttributeName] = ["perm", "modi", "extr", "drve"]
    private static let never: [AttributeName] = ["sens", "asen", "next", "snrc", "vyrc"]
    private static let ofPrivateKeys: [AttributeName] = ["priv", "decr", "sign", "unwp"]
    /// Sensitive and never extractable, now and in the past.
    private static let ofKeysThatStay: [AttributeName] = ["sens", "asen", "next"]
    private static let ofPublicKeys: [AttributeName] = ["encr", "vrfy", "wrap"]

    /// The key of a keychain item, from its attributes `type` and `kcls` and its secret. Nil if these do not describe a
    /// key pair.
    /// Throws if they do, but the bytes are not such a key.
    package init?(_ attributes: Attributes, _ bytes: Data) throws {
        guard case .number(let type) = attributes[.type], let family = Family(rawValue: type),
            case .number(let keyClass) = attributes[.keyClass], let role = Role(rawValue: keyClass), role != .symmetric,
            family != .symmetric
        else { return nil }
        if attributes.isInTPM {
            self = .tpm(try TPMKey(try TPMPrivateKey(try Secret(copying: Array(bytes)))))
        } else {
            try self.init(family, role, externalRepresentation: bytes)
        }
    }
}

extension CertificateFields {
    /// SHA-1 of the public key's bits: the `klbl` of its private key.
    package var publicKeyHash: [UInt8]? {
        publicKeyBits.map { Array(Insecure.SHA1.hash(data: $0)) }
    }

    /// The keychain's attributes of a certificate.
    package var itemAttributes: Attributes {
        var attributes = identifyingAttributes
        attributes[.certificateEncoding] = .number(Self.derEncoding)
        attributes[.subject] = .data(normalizedSubject)
        attributes[.subjectKeyID] = subjectKeyIdentifier.map { .data($0) }
        attributes[.publicKeyHash] = publicKeyHash.map { .data($0) }
        return attributes
    }

    /// The attributes that distinguish this certificate from others.
    package var identifyingAttributes: Attributes {
        [
            .certificateType: .number(Int64(version)), .issuer: .data(normalizedIssuer),
            .serialNumber: .data(serialNumber),
        ]
    }

    /// Apple's number for DER.
    private static let derEncoding: Int64 = 3
}

extension ItemRecord {
    /// A certificate to add. `attributes` override those of the certificate. Without a label it gets its
    /// subject summary.
    package init(
        _ certificate: CertificateFields, der: some Sequence<UInt8>, _ attributes: Attributes = [:]
    ) throws(KeychainError) {
        self.init(.certificate)
        self.attributes = certificate.itemAttributes.merging(attributes) { $1 }
        if self.attributes[.label] == nil { self.attributes[.label] = certificate.summary.map { .text($0) } }
        do { secret = try Secret(copying: Array(der)) } catch { throw KeychainError(error) }
    }

    /// A key to add. `attributes` override those of the key.
    package init(_ key: KeyMaterial, _ attributes: Attributes = [:]) throws(KeychainError) {
        self.init(.key)
        self.attributes = key.itemAttributes.merging(attributes) { $1 }
        secret = try key.item()
    }
}

extension KeychainError {
    /// The error for given bytes that are not a certificate.
    package static var noCertificate: KeychainError {
        KeychainError(.damaged, "these bytes are not an X.509 certificate in DER; nothing was stored")
    }
}
