// SPDX-License-Identifier: Apache-2.0

import DataProtection
public import KeychainEngine
import Readers
import SecretMemory
import SecurityTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A certificate together with its private key, with which a TLS client or server proves its identity.
///
/// It is stored as these two items, and found wherever both exist. Adding it adds both. Deleting it deletes the
/// certificate, and the key unless another certificate needs it. To change it, change one of the two:
/// ``Keychain/update(_:authentication:)`` throws `.unimplemented`.
public struct IdentityItem: KeychainItem {
    /// The item class.
    public static var itemClass: ItemClass { .identity }

    /// The content that the properties read and write: the certificate's attributes if both items have them,
    /// else the key's.
    public var content: ItemContent

    /// An item with this content.
    public init(content: ItemContent) { self.content = content }

    /// The identity of two items. Errors: `.parameter` if they don't belong together, or lack their bytes.
    public init(certificate: CertificateItem, key: KeyItem) throws(KeychainError) {
        guard key.keyClass == .private, let hash = certificate.publicKeyHash, hash == key.applicationLabel,
            let bytes = certificate.content.secret, key.content.secret != nil
        else { throw KeychainError(.parameter, "the key is not the private key of this certificate") }
        content = ItemContent()
        content.attributes = Attributes(
            certificate: certificate.content.attributes, key: key.content.attributes)
        content.secret = key.content.secret
        content.certificate = bytes
    }

    /// The identities in a PKCS#12 file. Certificates without their key are left out.
    ///
    /// The file may be written by OpenSSL 3 (AES under PBES2). Files of older programs are readable if the system has
    /// OpenSSL 3 with its legacy provider. An item's label is the friendly name, otherwise the certificate's subject.
    ///
    /// Errors: `.pkcs12VerifyFailure` for a wrong passphrase or changed bytes; `.unsupportedFormat` for encryption that
    /// can't be read here, with a message that says how to convert the file; `.damaged` if it is no such file;
    /// `.dataTooLarge` over 16 MiB or 10,000 certificates.
    public static func identities(pkcs12 file: Data, passphrase: String) throws(KeychainError) -> [IdentityItem] {
        let read: PKCS12
        do { read = try PKCS12(file: file, passphrase: passphrase) } catch { throw KeychainError(error) }
        let certificates = read.certificates.compactMap { bag in
            CertificateFields(der: Array(bag.der)).map { (bag, $0) }
        }
        let byKey = Dictionary(grouping: certificates) { $0.1.publicKeyHash }
        var found: [IdentityItem] = []
        for key in read.keys {
            for (bag, fields) in byKey[key.material.publicKeyHash] ?? [] {
                var certificate = CertificateItem(content: ItemContent(try ItemRecord(fields, der: bag.der)))
                if let name = key.friendlyName ?? bag.friendlyName { certificate.label = name }
                let item = KeyItem(content: ItemContent(try ItemRecord(key.material)))
                found.append(try IdentityItem(certificate: certificate, key: item))
            }
        }
        return found
    }

    /// The certificate, without its bytes if secrets were not requested.
    public var certificate: CertificateItem {
        var item = CertificateItem(content: ItemContent())
        item.content.attributes = content.attributes.only(of: .certificate)
        item.content.secret = content.certificate
        return item
    }

    /// The private key, without its bytes if secrets were not requested.
    public var key: KeyItem {
        var item = KeyItem(content: ItemContent())
        item.content.attributes = content.attributes.only(of: .key)
        item.content.secret = content.secret
        item.content.tpms = content.tpms
        return item
    }
}

extension Keychain {
    /// Adds an identity: its certificate and its key, in one transaction. One of them may exist already.
    /// Access control applies only to the key, since a certificate is there to be shown.
    ///
    /// Errors: those of ``add(_:authentication:)``; `.duplicateItem` if both exist.
    func add(
        identity: ItemRecord, certificate: Secret?, _ prompt: PersonPrompt
    ) throws(KeychainError) -> ItemRecord {
        guard let certificate, let key = identity.secret else {
            throw KeychainError(.parameter, "an identity is added with its certificate and its key")
        }
        let der: [UInt8]
        let bytes: Data
        do {
            der = try [UInt8](exposing: certificate)
            bytes = try Data(exposing: key)
        } catch { throw KeychainError(error) }
        guard let fields = CertificateFields(der: der) else { throw .noCertificate }
        guard let material = try? KeyMaterial(identity.attributes, bytes) else {
            throw KeychainError(.parameter, "the identity has no private key of a type that is known")
        }
        var shown = identity.attributes.only(of: .certificate)
        shown.constraints = []
        return try access.addIdentity(
            certificate: try ItemRecord(fields, der: der, shown),
            key: try ItemRecord(material, identity.attributes.only(of: .key)), prompt)
    }
}

extension Attributes {
    fileprivate func only(of itemClass: ItemClass) -> Attributes {
        let table = AttributeTable.of(itemClass)
        return filter { table[$0.key] != nil }
    }
}
