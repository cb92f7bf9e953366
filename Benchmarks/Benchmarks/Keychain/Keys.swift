// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Meter
import Security
import Zamok

/// Keys beside swift-crypto called directly, identities beside passwords of the same home.
@MainActor
struct Keys {
    let goals: Goals

    func signatures() throws {
        let pair = try SigningPair()
        goals.goal(
            "sign, P-256 / swift-crypto",
            try Meter.compare(row: 500) { _ in keep(try pair.sign()) } with: { _ in keep(try pair.signPlain()) },
            atMost: 1.1)
        goals.goal(
            "verify, P-256 / swift-crypto",
            try Meter.compare(row: 500) { _ in keep(pair.verify()) } with: { _ in keep(try pair.verifyPlain()) },
            atMost: 1.1)
        let rsa = try RSAPair()
        goals.goal(
            "sign, RSA 2048 / swift-crypto",
            try Meter.compare(row: 100) { _ in keep(try rsa.sign()) } with: { _ in keep(try rsa.signPlain()) },
            atMost: 1.1)
        goals.goal(
            "verify, RSA 2048 / swift-crypto",
            try Meter.compare(row: 500) { _ in keep(rsa.verify()) } with: { _ in keep(rsa.verifyPlain()) },
            atMost: 1.1)
    }

    func identities() throws {
        let home = try HomeOfIdentities(count: 1_000)
        goals.goal(
            "identity among 1,000 / a password's lookup",
            try Meter.compare(row: 500) { keep(try home.identity($0 * 7919 % 1_000)) }
                with: { keep(try home.lookup($0 * 7919 % 1_000)) }, atMost: 3)
        goals.goal(
            "the same by SecItemCopyMatching",
            try Meter.compare(row: 500) { keep(try home.copyMatching($0 * 7919 % 1_000)) }
                with: { keep(try home.passwordByFunction($0 * 7919 % 1_000)) }, atMost: 3)
    }
}

/// One key, as swift-crypto has it and as a SecKey, with a signature to verify.
struct SigningPair {
    static let message = Data(repeating: 0x5A, count: 1_000)

    let plain: P256.Signing.PrivateKey
    let key: SecKey
    let publicKey: SecKey
    let signature: P256.Signing.ECDSASignature
    let signatureBytes: Data

    init() throws {
        plain = P256.Signing.PrivateKey()
        (key, publicKey) = try Self.keys(kSecAttrKeyTypeECSECPrimeRandom, plain.x963Representation)
        signature = try plain.signature(for: Self.message)
        signatureBytes = signature.derRepresentation
    }

    static func keys(_ type: CFString, _ bytes: Data) throws -> (SecKey, SecKey) {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: type, kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
        ]
        guard let key = SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, nil),
            let publicKey = SecKeyCopyPublicKey(key)
        else { throw CocoaError(.coderInvalidValue) }
        return (key, publicKey)
    }

    func sign() throws -> Data {
        guard let made = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, Self.message as CFData, nil)
        else {
            throw CocoaError(.coderInvalidValue)
        }
        return made as Data
    }

    func verify() -> Bool {
        SecKeyVerifySignature(
            publicKey, .ecdsaSignatureMessageX962SHA256, Self.message as CFData, signatureBytes as CFData, nil)
    }

    func signPlain() throws -> Data { try plain.signature(for: Self.message).derRepresentation }

    func verifyPlain() throws -> Bool {
        let read = try P256.Signing.ECDSASignature(derRepresentation: signatureBytes)
        return plain.publicKey.isValidSignature(read, for: Self.message)
    }
}

/// The same with RSA of 2048 bits.
struct RSAPair {
    let plain: _RSA.Signing.PrivateKey
    let key: SecKey
    let publicKey: SecKey
    let signature: Data

    init() throws {
        plain = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        (key, publicKey) = try SigningPair.keys(kSecAttrKeyTypeRSA, plain.derRepresentation)
        signature = try plain.signature(for: SigningPair.message, padding: .insecurePKCS1v1_5).rawRepresentation
    }

    func sign() throws -> Data {
        let message = SigningPair.message as CFData
        guard let made = SecKeyCreateSignature(key, .rsaSignatureMessagePKCS1v15SHA256, message, nil) else {
            throw CocoaError(.coderInvalidValue)
        }
        return made as Data
    }

    func verify() -> Bool {
        SecKeyVerifySignature(
            publicKey, .rsaSignatureMessagePKCS1v15SHA256, SigningPair.message as CFData, signature as CFData, nil)
    }

    func signPlain() throws -> Data {
        try plain.signature(for: SHA256.hash(data: SigningPair.message), padding: .insecurePKCS1v1_5).rawRepresentation
    }

    func verifyPlain() -> Bool {
        plain.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: SigningPair.message),
            padding: .insecurePKCS1v1_5)
    }
}

/// A home with identities, and as many passwords.
final class HomeOfIdentities {
    private let passwords: FilledHome

    /// `der` is one certificate; the others are like it but for a number in their names and their keys.
    init(count: Int) throws {
        passwords = try FilledHome(count: count)
        let keychain = passwords.keychain
        for number in 0..<count {
            let key = try KeyItem(generating: .ellipticCurve, sizeInBits: 256)
            let plain = try P256.Signing.PrivateKey(pemRepresentation: try key.pem() ?? "")
            let certificate = try CertificateItem(CertificateMaker.certificate(number, plain.publicKey))
            _ = try keychain.add(try IdentityItem(certificate: certificate, key: key))
        }
    }

    func identity(_ number: Int) throws -> IdentityItem {
        try passwords.keychain.item(
            matching: KeychainQuery<IdentityItem>().with(\.label, CertificateMaker.name(number)))
    }

    /// Apple's function, with the object that a TLS library takes.
    func copyMatching(_ number: Int) throws -> CFTypeRef? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassIdentity, kSecAttrLabel as String: CertificateMaker.name(number),
            kSecReturnRef as String: true,
        ]
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else {
            throw CocoaError(.fileReadUnknown)
        }
        return result
    }

    func lookup(_ number: Int) throws -> GenericPassword { try passwords.lookup(number) }
    func passwordByFunction(_ number: Int) throws -> CFTypeRef? { try passwords.copyMatching(number) }
}

/// Certificates by hand; nothing here judges their signatures, so they carry none.
enum CertificateMaker {
    static func name(_ number: Int) -> String { "identity \(number)" }

    static func certificate(_ number: Int, _ key: P256.Signing.PublicKey) -> Data {
        let common = sequence([0x06, 3, 0x55, 4, 3], node(0x0C, Array(name(number).utf8)))
        let subject = sequence(node(0x31, common))
        let algorithm = sequence([0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])
        let dates = sequence(node(0x17, Array("260101000000Z".utf8)), node(0x17, Array("360101000000Z".utf8)))
        let serial = node(2, [1, UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)])
        let body = sequence(
            node(0xA0, node(2, [2])), serial, algorithm, subject, dates, subject, Array(key.derRepresentation))
        return Data(sequence(body, algorithm, node(3, [0, 0])))
    }

    private static func sequence(_ parts: [UInt8]...) -> [UInt8] { node(0x30, Array(parts.joined())) }

    private static func node(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count
        let head: [UInt8] =
            switch length {
            case ..<128: [UInt8(length)]
            case ..<256: [0x81, UInt8(length)]
            default: [0x82, UInt8(length >> 8 & 255), UInt8(length & 255)]
            }
        return [tag] + head + content
    }
}
