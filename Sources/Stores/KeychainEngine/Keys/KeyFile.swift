// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Readers
import SwiftASN1

/// Reads a file with a certificate or a key, in PEM or DER.
package enum KeyFile {
    /// Bytes of the largest file that is read.
    package static let sizeLimit = 16 << 20

    /// The first certificate, in DER. Errors: `.damaged` if there is none; `.dataTooLarge`.
    package static func certificate(_ file: Data) throws(KeychainError) -> [UInt8] {
        for bytes in try candidates(file, ["CERTIFICATE", "X509 CERTIFICATE"]) {
            if CertificateFields(der: Array(bytes.bytes)) != nil { return Array(bytes.bytes) }
        }
        throw KeychainError(.damaged, "there is no X.509 certificate in this file, in PEM or DER")
    }

    /// The first key. A private key is in PKCS#8 (also encrypted), SEC 1, PKCS#1 or OpenSSH's format.
    /// A public key is in SubjectPublicKeyInfo or PKCS#1. Either may be a JWK.
    ///
    /// Errors: `.damaged` if there is none; `.passphraseRequired`, `.pkcs12VerifyFailure` (wrong passphrase),
    /// `.unsupportedFormat` for older encryption and OpenSSH's; `.dataTooLarge`.
    package static func key(_ file: Data, passphrase: String?) throws -> KeyMaterial {
        if let key = try JSONWebKey.key(file) { return key }
        let blocks = try candidates(file, keyLabels).prefix(keyLimit)
        if blocks.contains(where: \.hasHeaders) { throw KeychainError(.unsupportedFormat, remedy) }
        for block in blocks {
            if block.label == OpenSSHKey.label { return try OpenSSHKey(block.bytes).material }
            if let key = try privateKey(block.bytes) { return key }
            if let key = try? KeyMaterial(subjectPublicKeyInfo: block.bytes) { return key }
        }
        for block in blocks {
            if let key = try decrypted(block.bytes, passphrase) { return key }
        }
        let names = Set(blocks.compactMap { otherKey($0.bytes) }).sorted().joined(separator: ", ")
        let none = "there is no key in this file that is RSA, P-256, P-384, P-521, Ed25519 or X25519, in PEM or DER"
        throw KeychainError(.damaged, names.isEmpty ? none : "\(none); its key is \(names)")
    }

    /// A private key, or either half on Curve25519. Nil if the bytes are neither. Errors: `.damaged`.
    private static func privateKey(_ der: Data) throws(KeychainError) -> KeyMaterial? {
        do { return try KeyMaterial(curve25519DER: der) ?? KeyMaterial(privateKeyDER: der) } catch KeyMaterialError
            .parted
        {
            throw KeychainError(
                .damaged,
                "the key in this file is damaged: its private half does not belong to the public half beside it")
        } catch {
            return nil
        }
    }

    /// The comment of an OpenSSH key in the file; nil if it is empty, or there is no such key.
    package static func comment(_ file: Data) -> String? {
        guard let block = (try? candidates(file, keyLabels))?.first(where: { $0.label == OpenSSHKey.label }) else {
            return nil
        }
        return (try? OpenSSHKey(block.bytes)).flatMap { $0.comment.isEmpty ? nil : $0.comment }
    }

    /// The type of key that an AlgorithmIdentifier in PKCS#8 or SubjectPublicKeyInfo names, or the curve in SEC 1; nil
    /// if there is none.
    private static func otherKey(_ bytes: Data) -> String? {
        guard let parts = try? ASN1Reading.value(in: Array(bytes)[...], .der, limit: PKCS12.valueLimit).parts() else {
            return nil
        }
        return parts.prefix(4).lazy.compactMap { part -> String? in
            if let curve = try? part.explicit(0) {
                return CertificateFields.PublicKey.name(.ellipticCurveKey, try? curve.objectIdentifier())
            }
            guard let algorithm = try? part.parts(1...2), let kind = try? algorithm[0].objectIdentifier() else {
                return nil
            }
            return CertificateFields.PublicKey.name(kind, try? algorithm.dropFirst().first?.objectIdentifier())
        }.first
    }

    private static let keyLabels = [
        "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY", "PUBLIC KEY", "RSA PUBLIC KEY",
        OpenSSHKey.label,
    ]

    /// How many keys of a file are tried, because checking a malformed RSA key can take long.
    private static let keyLimit = 64

    private static let remedy = """
        the key is encrypted in a way that is not read here; convert it: \
        openssl pkcs8 -topk8 -iter 600000 -in OLD.pem -out NEW.pem
        """

    private static var unreadable: KeychainError {
        KeychainError(
            .unsupportedFormat,
            "the encrypted key's form is broken, or it asks for more than \(PBES2.roundsLimit) rounds; convert it: openssl pkcs8 -topk8 -iter 600000 -in OLD.pem -out NEW.pem"
        )
    }

    /// Whether its first private key has a passphrase that ssh-keygen can remove: in OpenSSH's own format, or in PEM
    /// with headers, as older versions wrote it.
    package static func isUnderSSHPassphrase(_ file: Data) -> Bool {
        let first = (try? candidates(file, keyLabels))?.first { $0.label.hasSuffix("PRIVATE KEY") }
        return first.map { $0.hasHeaders || $0.label == OpenSSHKey.label && OpenSSHKey.isEncrypted($0.bytes) } ?? false
    }

    /// The number of private keys in a file, by its PEM labels.
    package static func countOfPrivateKeys(_ file: Data) -> Int {
        ((try? candidates(file, keyLabels)) ?? []).count { $0.label.hasSuffix("PRIVATE KEY") }
    }

    private static func candidates(_ file: Data, _ labels: [String]) throws(KeychainError) -> [PEMBlock] {
        guard file.count <= sizeLimit else { throw KeychainError(.dataTooLarge, "the file is larger than 16 MiB") }
        // DER of all these begins with a SEQUENCE tag, which no text does.
        if file.first == 0x30 { return [PEMBlock(labels[0], file)] }
        guard let blocks = PEMBlock.all(in: file) else {
            throw KeychainError(.damaged, "a PEM block of this file is broken")
        }
        return blocks.filter { labels.contains($0.label) }
    }

    /// Decrypts EncryptedPrivateKeyInfo (RFC 5958); nil for anything else.
    private static func decrypted(_ bytes: Data, _ passphrase: String?) throws -> KeyMaterial? {
        guard let parts = try? ASN1Reading.value(in: Array(bytes)[...], .der, limit: PKCS12.valueLimit).parts(2...2),
            let encrypted = try? parts[1].octets(), (try? parts[0].parts(1...2)) != nil
        else { return nil }
        do {
            let scheme = try PBES2(parts[0])
            guard let passphrase else {
                throw KeychainError(.passphraseRequired, "the key is encrypted; its passphrase is needed")
            }
            let der = try scheme.decrypt(encrypted, passphrase: passphrase)
            guard let key = try privateKey(der) else {
                throw PKCS12Error.wrongPassphrase
            }
            return key
        } catch let error as PKCS12Error {
            switch error {
            case .wrongPassphrase: throw KeychainError(error)
            case .unsupportedEncryption: throw KeychainError(.unsupportedFormat, remedy)
            case .malformed, .tooLarge: throw unreadable
            }
        } catch let error as KeychainError {
            throw error
        } catch {
            throw unreadable
        }
    }
}

extension KeyMaterial {
    /// PEM: PKCS#8 for private keys, SubjectPublicKeyInfo for public ones. Nil for symmetric keys, and for private keys
    /// in a TPM.
    package var pem: String? {
        switch role {
        case .private where isInTPM: nil
        case .private: PEMBlock("PRIVATE KEY", interchangeRepresentation).text
        case .public: PEMBlock("PUBLIC KEY", interchangeRepresentation).text
        case .symmetric: nil
        }
    }
}
