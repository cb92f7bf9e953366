// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import SecItem
import SecurityTypes

extension ItemEngine {
    /// SecItemImport.
    func items(of file: CFData, as format: SecExternalFormat, _ passphrase: String?) -> ImportedItems {
        let data = Data(referencing: file)
        guard data.count <= KeyFile.sizeLimit else { return ImportedItems(errSecDataTooLarge) }
        do {
            switch format {
            case .formatRawKey: return ImportedItems(format, [SecKey(try Self.rawKey(data))])
            case .formatPKCS12: return ImportedItems(format, try Self.identities(data, passphrase))
            default: break
            }
            guard data.first == 0x30 else {
                return ImportedItems(.formatPEMSequence, try Self.sequence(data, passphrase))
            }
            if let certificate = SecCertificate(der: data) { return ImportedItems(.formatX509Cert, [certificate]) }
            if let key = try Self.key(data, passphrase) { return ImportedItems(.formatOpenSSL, [key]) }
            return ImportedItems(.formatPKCS12, try Self.identities(data, passphrase))
        } catch PKCS12Error.wrongPassphrase where passphrase == nil {
            return ImportedItems(errSecPassphraseRequired)
        } catch { return ImportedItems(Self.status(error)) }
    }

    /// A file may hold anything, so one that is not ours is of an unknown form, not damaged.
    private static func status(_ error: any Error) -> OSStatus {
        let error = (error as? PKCS12Error).map { KeychainError($0) } ?? KeychainError(error)
        return error.code == .damaged || error.code == .parameter ? errSecUnknownFormat : error.code.rawValue
    }

    private static func rawKey(_ data: Data) throws -> KeyMaterial {
        for family in [KeyMaterial.Family.ec, .rsa] {
            for role in [KeyMaterial.Role.private, .public] {
                if let key = try? KeyMaterial(family, role, externalRepresentation: data) { return key }
            }
        }
        throw KeychainError(.damaged, "these bytes are not a key")
    }

    private static func key(_ der: Data, _ passphrase: String?) throws -> SecKey? {
        do { return SecKey(try KeyFile.key(der, passphrase: passphrase)) } catch let error as KeychainError {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }

    private static func identities(_ data: Data, _ passphrase: String?) throws -> [AnyObject] {
        let file = try PKCS12(file: data, passphrase: passphrase ?? "")
        return ImportedFile(file).dictionaries.flatMap { dictionary -> [AnyObject] in
            (dictionary["identity"] as? SecIdentity).map { [$0] } ?? (dictionary["chain"] as? [SecCertificate] ?? [])
        }
    }

    private static func sequence(_ text: Data, _ passphrase: String?) throws -> [AnyObject] {
        let blocks = PEMBlock.all(in: text) ?? []
        let items = try blocks.prefix(PKCS12.certificateLimit).compactMap { block -> AnyObject? in
            if block.label.hasSuffix("CERTIFICATE") { return SecCertificate(der: block.bytes) }
            return block.label.hasSuffix("KEY") ? try key(block.bytes, passphrase) : nil
        }
        guard !items.isEmpty else { throw KeychainError(.damaged, "there is no certificate and no key") }
        return items
    }

    /// SecItemExport.
    func file(of items: [AnyObject], as format: SecExternalFormat, inPEM: Bool) -> (OSStatus, Data?) {
        var blocks: [PEMBlock] = []
        for item in items {
            switch item {
            case let certificate as SecCertificate: blocks.append(PEMBlock("CERTIFICATE", certificate.der))
            case let key as SecKey:
                guard let block = key.material.block(format) else { return (errSecUnsupportedFormat, nil) }
                blocks.append(block)
            case let identity as SecIdentity:
                guard let block = identity.key.material.block(format) else { return (errSecUnsupportedFormat, nil) }
                blocks += [PEMBlock("CERTIFICATE", identity.certificate.der), block]
            default: return (errSecParam, nil)
            }
        }
        guard !blocks.isEmpty else { return (errSecParam, nil) }
        let holdsKeys = blocks.contains { $0.label != "CERTIFICATE" }
        guard Self.written.contains(format), format != .formatX509Cert || !holdsKeys else {
            return (errSecUnsupportedFormat, nil)
        }
        if blocks.count == 1, !inPEM, format != .formatPEMSequence { return (errSecSuccess, blocks[0].bytes) }
        guard format != .formatRawKey else { return (errSecUnsupportedFormat, nil) }
        return (errSecSuccess, Data(blocks.map(\.text).joined().utf8))
    }

    private static let written: Set<SecExternalFormat> = [
        .formatUnknown, .formatOpenSSL, .formatBSAFE, .formatRawKey, .formatX509Cert, .formatPEMSequence,
    ]
}

extension KeyMaterial {
    /// nil for a form that keys don't have.
    fileprivate func block(_ format: SecExternalFormat) -> PEMBlock? {
        switch (format, family, role) {
        case _ where isInTPM: nil
        case (.formatRawKey, _, _): PEMBlock("KEY", externalRepresentation)
        case (.formatBSAFE, .rsa, .public): PEMBlock("RSA PUBLIC KEY", externalRepresentation)
        case (.formatX509Cert, _, _): nil
        case (_, .rsa, .private): PEMBlock("RSA PRIVATE KEY", externalRepresentation)
        case (_, _, .private): PEMBlock("PRIVATE KEY", interchangeRepresentation)
        case (_, _, .public): PEMBlock("PUBLIC KEY", interchangeRepresentation)
        default: nil
        }
    }
}
#endif
