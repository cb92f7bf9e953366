// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import Keychains
import Readers
import SecretMemory

/// An object on the token: a certificate, half of a key pair, or the result of a key exchange.
/// Pairs that a program generated for itself, and results of exchanges, belong to its session.
struct PKCS11Object {
    enum Kind: UInt64 {
        case certificate = 1
        case publicKey = 2
        case privateKey = 3
        case secretKey = 4
    }

    let kind: Kind
    var label = ""
    /// The SHA-1 of the public key, which a certificate and both halves have in common.
    var identifier: [UInt8] = []
    /// The public key of the pair, or of the certificate.
    var publicKey: KeyMaterial?
    /// The item of a private key or a certificate.
    var reference: PersistentReference?
    /// Whether the user is prompted at each use.
    var asks = false
    /// Whether the private key is in the TPM.
    var isInTPM = false
    var certificate: (fields: CertificateFields, der: [UInt8])?
    /// The result of an exchange, or the private key of a session's pair, and the session.
    var secret: Secret?
    var session: UInt64?
    /// Whether the secret may be read.
    var isReadable = true
    /// The attribute values that were requested for a session's pair.
    var asked: [UInt64: PKCS11Value] = [:]

    /// Identifies the object as long as its item exists.
    var key: [UInt8] { [UInt8(truncatingIfNeeded: kind.rawValue)] + (reference?.bytes ?? identifier) }

    /// The value of an attribute. Errors: `.attributeTypeInvalid`, `.attributeSensitive`.
    func value(_ type: UInt64) throws(PKCS11Failure) -> PKCS11Value {
        if kind == .privateKey, PKCS11Attribute.secrets.contains(type) { throw .attributeSensitive }
        if let value = asked[type] { return value }
        if let value = common(type) { return value }
        guard let value = try own(type) else { throw .attributeTypeInvalid }
        return value
    }

    func matches(_ template: PKCS11Template) -> Bool {
        !template.isImpossible && template.values.allSatisfy { (try? value($0)) == $1 }
    }

    private func common(_ type: UInt64) -> PKCS11Value? {
        switch type {
        case PKCS11Attribute.objectClass: .number(kind.rawValue)
        case PKCS11Attribute.token: .flag(session == nil)
        case PKCS11Attribute.isPrivate: .flag(kind == .privateKey)
        case PKCS11Attribute.label: .bytes(Array(label.utf8))
        case PKCS11Attribute.modifiable, PKCS11Attribute.copyable: .flag(false)
        case PKCS11Attribute.destroyable: .flag(session != nil)
        default: nil
        }
    }

    private func own(_ type: UInt64) throws(PKCS11Failure) -> PKCS11Value? {
        switch kind {
        case .certificate: certificateValue(type)
        case .publicKey, .privateKey: keyValue(type) ?? publicValue(type)
        case .secretKey: try secretValue(type)
        }
    }

    private func certificateValue(_ type: UInt64) -> PKCS11Value? {
        guard let certificate else { return nil }
        return switch type {
        case PKCS11Attribute.certificateType, PKCS11Attribute.certificateCategory: .number(0)
        case PKCS11Attribute.trusted: .flag(false)
        case PKCS11Attribute.identifier: .bytes(identifier)
        case PKCS11Attribute.subject: .bytes(certificate.fields.subject)
        case PKCS11Attribute.issuer: .bytes(certificate.fields.issuer)
        case PKCS11Attribute.serialNumber: .bytes(DERBytes.value(0x02, certificate.fields.serialNumber))
        case PKCS11Attribute.value: .bytes(certificate.der)
        case PKCS11Attribute.startDate, PKCS11Attribute.endDate: .bytes([])
        default: nil
        }
    }

    /// The attributes that say what a half may be used for.
    private func keyValue(_ type: UInt64) -> PKCS11Value? {
        let (isPrivate, isRSA) = (kind == .privateKey, publicKey?.family == .rsa)
        return switch type {
        case PKCS11Attribute.keyType: .number(isRSA ? 0 : 3)
        case PKCS11Attribute.identifier: .bytes(identifier)
        case PKCS11Attribute.startDate, PKCS11Attribute.endDate, PKCS11Attribute.subject: .bytes([])
        case PKCS11Attribute.derive: .flag(isPrivate && !isRSA)
        case PKCS11Attribute.local: .flag(session != nil || isInTPM)
        case PKCS11Attribute.sign: isPrivate ? .flag(true) : nil
        case PKCS11Attribute.decrypt: isPrivate ? .flag(isRSA) : nil
        case PKCS11Attribute.sensitive: isPrivate ? .flag(true) : nil
        case PKCS11Attribute.alwaysSensitive, PKCS11Attribute.neverExtractable:
            isPrivate ? .flag(session != nil || isInTPM) : nil
        case PKCS11Attribute.extractable, PKCS11Attribute.unwrap, PKCS11Attribute.signRecover:
            isPrivate ? .flag(false) : nil
        case PKCS11Attribute.alwaysAuthenticate: isPrivate ? .flag(asks) : nil
        case PKCS11Attribute.verify: isPrivate ? nil : .flag(true)
        case PKCS11Attribute.encrypt: isPrivate ? nil : .flag(isRSA)
        case PKCS11Attribute.wrap, PKCS11Attribute.verifyRecover, PKCS11Attribute.trusted:
            isPrivate ? nil : .flag(false)
        default: nil
        }
    }

    private func publicValue(_ type: UInt64) -> PKCS11Value? {
        guard let publicKey else { return nil }
        if let numbers = publicKey.rsaNumbers {
            return switch type {
            case PKCS11Attribute.modulus: .bytes(numbers.modulus)
            case PKCS11Attribute.publicExponent: .bytes(numbers.exponent)
            case PKCS11Attribute.modulusBits where kind == .publicKey: .number(UInt64(publicKey.sizeInBits))
            default: nil
            }
        }
        return switch type {
        case PKCS11Attribute.curve: Self.curves[publicKey.sizeInBits].map { .bytes($0) }
        case PKCS11Attribute.point: .bytes(DERBytes.value(0x04, Array(publicKey.externalRepresentation)))
        default: nil
        }
    }

    /// The object identifiers of curves (RFC 5480).
    static let curves: [Int: [UInt8]] = [
        256: [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7], 384: [6, 5, 0x2B, 0x81, 4, 0, 0x22],
        521: [6, 5, 0x2B, 0x81, 4, 0, 0x23],
    ]

    private func secretValue(_ type: UInt64) throws(PKCS11Failure) -> PKCS11Value? {
        switch type {
        case PKCS11Attribute.value:
            guard isReadable, let secret, let bytes = try? [UInt8](exposing: secret) else {
                throw .attributeSensitive
            }
            return .bytes(bytes)
        case PKCS11Attribute.keyType: return .number(0x10)
        case PKCS11Attribute.valueLength: return .number(UInt64(secret?.count ?? 0))
        case PKCS11Attribute.sensitive: return .flag(!isReadable)
        case PKCS11Attribute.extractable: return .flag(isReadable)
        default: return nil
        }
    }
}

/// The objects that the token shows of a keychain.
struct PKCS11Contents {
    let keychain: Keychain

    /// Certificates, and RSA and NIST pairs whose public half is known.
    /// It is known from its item, from a certificate, or from the private key if that can be opened without a prompt.
    /// Private keys are included only if `isOpen`. Objects that can't be read now are left out.
    func objects(isOpen: Bool) -> [PKCS11Object] {
        let certificates = self.certificates()
        let byHash = Dictionary(certificates.map { ($0.identifier, $0) }) { first, _ in first }
        var found = certificates
        for pair in (try? KeyPairs(keychain).all()) ?? [] {
            let hash = pair.privateItem.applicationLabel ?? []
            guard [.rsa, .ellipticCurve].contains(pair.privateItem.keyType),
                let publicKey = pair.publicKey ?? byHash[hash]?.publicKey ?? opened(pair, isOpen)
            else { continue }
            for kind in [PKCS11Object.Kind.publicKey, .privateKey] where isOpen || kind == .publicKey {
                found.append(
                    PKCS11Object(
                        kind: kind, label: pair.name, identifier: hash, publicKey: publicKey,
                        reference: pair.privateItem.persistentReference, asks: !pair.asks.isEmpty,
                        isInTPM: pair.isInTPM))
            }
        }
        return found
    }

    private func opened(_ pair: KeyPair, _ isOpen: Bool) -> KeyMaterial? {
        guard isOpen, pair.asks.isEmpty else { return nil }
        return (try? KeyPairs(keychain).open(pair).material())?.publicKey
    }

    private func certificates() -> [PKCS11Object] {
        let query = KeychainQuery<CertificateItem>().includingSynchronizable
        return ((try? keychain.items(matching: query)) ?? []).compactMap { item in
            guard item.accessControl.name.isEmpty, let reference = item.persistentReference,
                let opened = try? keychain.item(
                    matching: KeychainQuery<CertificateItem>(reference).includingSynchronizable),
                let der = try? opened.der(), let fields = CertificateFields(der: Array(der))
            else { return nil }
            return PKCS11Object(
                kind: .certificate, label: item.label ?? "", identifier: item.publicKeyHash ?? [],
                publicKey: try? KeyMaterial(subjectPublicKeyInfo: Data(fields.subjectPublicKeyInfo)),
                reference: reference, certificate: (fields, Array(der)))
        }
    }
}
