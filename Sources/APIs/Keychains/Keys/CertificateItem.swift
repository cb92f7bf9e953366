// SPDX-License-Identifier: Apache-2.0

public import KeychainEngine
import Readers
import SecretMemory
import SecurityTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An X.509 certificate. Identity: type, issuer, serial number, access group, synchronizable flag.
///
/// It is not secret, so by default it is always readable. Its signature, dates and names are not validated.
public struct CertificateItem: KeychainItem {
    /// The item class.
    public static var itemClass: ItemClass { .certificate }

    /// The content that the properties read and write.
    public var content: ItemContent

    /// An item with this content.
    public init(content: ItemContent) { self.content = content }

    /// The certificate in a file's bytes: DER, or the first one in PEM. Its label is a short form of its subject.
    ///
    /// Errors: `.damaged` if the bytes contain none, `.dataTooLarge` over 16 MiB.
    public init(_ file: Data) throws(KeychainError) {
        let der = try KeyFile.certificate(file)
        guard let fields = CertificateFields(der: der) else { throw .noCertificate }
        content = ItemContent(try ItemRecord(fields, der: der))
    }

    /// The certificate in DER; nil if it was not requested (`includingSecrets`). Errors: `.notAvailable` after fork.
    public func der() throws(KeychainError) -> Data? { try content.secretData() }

    /// The certificate in PEM, with a newline at the end; nil as for ``der()``.
    public func pem() throws(KeychainError) -> String? { try der().map { PEMBlock("CERTIFICATE", $0).text } }

    /// The serial number: the bytes of its integer, big-endian, with a leading zero byte if the first bit is set.
    public var serialNumber: [UInt8]? {
        get { content.bytes(.serialNumber) }
        set { content.attributes[.serialNumber] = newValue.map { .data($0) } }
    }

    /// The issuer's name in normalized form, for comparison.
    public var issuer: [UInt8]? {
        get { content.bytes(.issuer) }
        set { content.attributes[.issuer] = newValue.map { .data($0) } }
    }

    /// The subject's name in normalized form, for comparison.
    public var subject: [UInt8]? {
        get { content.bytes(.subject) }
        set { content.attributes[.subject] = newValue.map { .data($0) } }
    }

    /// SHA-1 of the public key: the ``KeyItem/applicationLabel`` of its private key.
    public var publicKeyHash: [UInt8]? {
        get { content.bytes(.publicKeyHash) }
        set { content.attributes[.publicKeyHash] = newValue.map { .data($0) } }
    }
}

extension ItemContent {
    func secretData() throws(KeychainError) -> Data? {
        guard let secret else { return nil }
        do { return try Data(exposing: secret) } catch { throw KeychainError(error) }
    }
}
