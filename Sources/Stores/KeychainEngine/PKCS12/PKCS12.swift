// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Readers
import SwiftASN1

/// The content of a PKCS#12 file (RFC 7292).
package struct PKCS12: Sendable {
    /// A private key with the attributes of its bag.
    package struct Key: Sendable {
        package let material: KeyMaterial
        package let friendlyName: String?
        package let localKeyID: Data?
    }

    /// A certificate, in DER, with the attributes of its bag.
    package struct Certificate: Sendable {
        package let der: Data
        package let friendlyName: String?
        package let localKeyID: Data?
    }

    /// The keys. A key that is in the file several times is listed once.
    package private(set) var keys: [Key] = []
    package private(set) var certificates: [Certificate] = []
    private var work = PasswordWork()
    private var seen: Set<[UInt8]?> = []

    /// Bytes of the largest file that is read.
    package static let sizeLimit = 16 << 20

    /// The most certificates that a file may have.
    package static let certificateLimit = 10_000

    /// Reads a file: first its integrity by HMAC, then its bags.
    ///
    /// Errors: `.malformed`, `.wrongPassphrase`, `.unsupportedEncryption`, `.tooLarge`.
    package init(file: Data, passphrase: String) throws(PKCS12Error) {
        guard file.count <= Self.sizeLimit else { throw .tooLarge }
        do {
            let pfx = try Self.value(in: Array(file)).parts(2...3)
            guard try pfx[0].integer() == 3 else { throw PKCS12Error.malformed }
            let safe = try ContentInfo(pfx[1]).dataContent()
            guard pfx.count > 2 else { throw PKCS12Error.unsupportedEncryption }
            let mac = try MacData(pfx[2])
            try work.spend(mac.rounds)
            try mac.check(safe, passphrase: passphrase)
            try read(authenticatedSafe: safe, passphrase: passphrase)
        } catch let error as PKCS12Error { throw error } catch { throw .malformed }
    }

    /// The most values of one structure: enough for 10,000 certificates with their attributes, and about 40 MiB
    /// of nodes.
    static let valueLimit = 300_000

    private static func value(in bytes: [UInt8]) throws(PKCS12Error) -> ASN1Node {
        do { return try ASN1Reading.value(in: bytes[...], .ber, limit: valueLimit) } catch {
            throw error.code == .tooLarge ? .tooLarge : .malformed
        }
    }

    private mutating func read(authenticatedSafe: [UInt8], passphrase: String) throws {
        for node in try Self.value(in: authenticatedSafe).parts() {
            let info = try ContentInfo(node)
            let contents =
                switch info.type {
                case .data: try info.dataContent()
                case .encryptedData: try info.decryptedContent(passphrase: passphrase, &work)
                default: throw PKCS12Error.unsupportedEncryption
                }
            for bag in try Self.value(in: contents).parts() { try read(bag, passphrase: passphrase) }
        }
    }

    private mutating func read(_ bag: ASN1Node, passphrase: String) throws {
        let parts = try bag.parts(2...3)
        let value = try parts[1].explicit(0)
        let attributes = try BagAttributes(parts.count > 2 ? parts[2].parts() : [])
        switch try parts[0].objectIdentifier() {
        case .keyBag:
            try work.spend(1)
            try append(try KeyMaterial(privateKeyDER: Data(value.serialized())), attributes)
        case .shroudedKeyBag:
            let encrypted = try value.parts(2...2)
            let scheme = try PasswordScheme(encrypted[0])
            try work.spend(scheme.rounds)
            let der = try scheme.decrypt(try encrypted[1].octets(), passphrase: passphrase)
            try append(try KeyMaterial(privateKeyDER: der), attributes)
        case .certificateBag:
            let certificate = try value.parts(2...2)
            guard try certificate[0].objectIdentifier() == .x509Certificate else { return }
            guard certificates.count < Self.certificateLimit else { throw PKCS12Error.tooLarge }
            certificates.append(
                Certificate(
                    der: Data(try certificate[1].explicit(0).octets()), friendlyName: attributes.friendlyName,
                    localKeyID: attributes.localKeyID))
        default: return  // CRLs and secrets have no place in a keychain of this kind.
        }
    }

    /// Adds each key once. If each copy of a key got the key's certificates, a small file could yield a huge result.
    private mutating func append(_ key: KeyMaterial, _ attributes: BagAttributes) throws {
        guard seen.insert(key.publicKeyHash).inserted else { return }
        keys.append(Key(material: key, friendlyName: attributes.friendlyName, localKeyID: attributes.localKeyID))
    }
}

/// The budget of key derivation for a whole file, whose writer is untrusted. Each part is bounded, and so is their sum.
private struct PasswordWork {
    /// The rounds left, about a second's worth. openssl writes 2,048 for each part.
    private var left = 6_000_000
    /// The remaining keys and parts with their own derivation. Each has a cost besides its rounds, an RSA key a
    /// high one.
    private var parts = 1_000

    mutating func spend(_ rounds: Int) throws {
        guard rounds <= left, parts > 0 else { throw PKCS12Error.malformed }
        left -= rounds
        parts -= 1
    }
}

/// Why a PKCS#12 file was not read.
package enum PKCS12Error: Error, Equatable {
    /// Not DER or BER of a PKCS#12 file, or a limit is exceeded.
    case malformed
    /// The integrity check failed: wrong passphrase, or changed bytes.
    case wrongPassphrase
    /// The file has an unknown encryption or authentication, or no authentication at all.
    /// Or it uses that of Keychain Access and openssl 1, and the system's libcrypto can't read it.
    case unsupportedEncryption
    /// The file has more than 16 MiB, or too many values or certificates.
    case tooLarge
}

/// `friendlyName` and `localKeyID` (RFC 2985) of a bag.
private struct BagAttributes {
    var friendlyName: String?
    var localKeyID: Data?

    init(_ attributes: [ASN1Node]) throws {
        for attribute in attributes {
            let parts = try attribute.parts(2...2)
            guard let value = try parts[1].parts().first else { continue }
            switch try parts[0].objectIdentifier() {
            case .friendlyName: friendlyName = String(bytes: try value.bytes(), encoding: .utf16BigEndian)
            case .localKeyID: localKeyID = Data(try value.octets())
            default: continue
            }
        }
    }
}

/// How a part of a file is decrypted: with PBES2, or by the system's libcrypto with the schemes of RFC 7292, appendix C
/// (3DES, RC2, RC4).
private enum PasswordScheme {
    case current(PBES2)
    case older(ASN1Node, rounds: Int)

    init(_ algorithm: ASN1Node) throws {
        do { self = .current(try PBES2(algorithm)) } catch PKCS12Error.unsupportedEncryption {
            let parts = try algorithm.parts(2...2)
            guard Self.schemes.contains(try parts[0].objectIdentifier()) else {
                throw PKCS12Error.unsupportedEncryption
            }
            let values = try parts[1].parts(2...2)
            let rounds = try values[1].integer()
            guard (1...PBES2.roundsLimit).contains(rounds), try (1...1024).contains(values[0].octets().count) else {
                throw PKCS12Error.malformed
            }
            self = .older(algorithm, rounds: rounds)
        }
    }

    var rounds: Int {
        switch self {
        case .current(let scheme): scheme.rounds
        case .older(_, let rounds): rounds
        }
    }

    func decrypt(_ bytes: [UInt8], passphrase: String) throws -> Data {
        switch self {
        case .current(let scheme): return try scheme.decrypt(bytes, passphrase: passphrase)
        case .older(let algorithm, _):
            let scheme = Data(algorithm.serialized())
            guard let plain = try SystemCrypto.decrypted(Data(bytes), scheme: scheme, passphrase: passphrase) else {
                throw PKCS12Error.wrongPassphrase
            }
            return plain
        }
    }

    private static let schemes = Set(
        (1...6).map { ASN1ObjectIdentifier(arrayLiteral: 1, 2, 840, 113549, 1, 12, 1, $0) })
}

/// ContentInfo (RFC 5652).
private struct ContentInfo {
    let type: ASN1ObjectIdentifier
    let content: ASN1Node

    init(_ node: ASN1Node) throws {
        let parts = try node.parts(2...2)
        type = try parts[0].objectIdentifier()
        content = try parts[1].explicit(0)
    }

    func dataContent() throws -> [UInt8] {
        guard type == .data else { throw PKCS12Error.unsupportedEncryption }
        return try content.octets()
    }

    func decryptedContent(passphrase: String, _ work: inout PasswordWork) throws -> [UInt8] {
        let info = try content.parts(2...2)[1].parts(3...3)
        let scheme = try PasswordScheme(info[1])
        try work.spend(scheme.rounds)
        return Array(try scheme.decrypt(try info[2].octets(implicit: 0), passphrase: passphrase))
    }
}

extension ASN1ObjectIdentifier {
    fileprivate static let data: Self = [1, 2, 840, 113549, 1, 7, 1]
    fileprivate static let encryptedData: Self = [1, 2, 840, 113549, 1, 7, 6]
    fileprivate static let keyBag: Self = [1, 2, 840, 113549, 1, 12, 10, 1, 1]
    fileprivate static let shroudedKeyBag: Self = [1, 2, 840, 113549, 1, 12, 10, 1, 2]
    fileprivate static let certificateBag: Self = [1, 2, 840, 113549, 1, 12, 10, 1, 3]
    fileprivate static let x509Certificate: Self = [1, 2, 840, 113549, 1, 9, 22, 1]
    fileprivate static let friendlyName: Self = [1, 2, 840, 113549, 1, 9, 20]
    fileprivate static let localKeyID: Self = [1, 2, 840, 113549, 1, 9, 21]
}

extension PKCS12Error {
    /// How to convert a file with the encryption of openssl 1 and older systems, if there is no OpenSSL 3 to read it.
    package static let remedy = """
        the PKCS#12 file is encrypted or authenticated in a way that is not read here (older ones need the system's OpenSSL 3 with its legacy \
        provider); convert it: \
        openssl pkcs12 -legacy -in OLD.p12 -nodes | openssl pkcs12 -export -out NEW.p12
        """
}

extension KeychainError {
    /// The keychain error for a PKCS#12 file that was not read.
    package init(_ error: PKCS12Error) {
        self =
            switch error {
            case .malformed: KeychainError(.damaged, "this is not a PKCS#12 file, or it is damaged")
            case .wrongPassphrase:
                KeychainError(.pkcs12VerifyFailure, "the passphrase is wrong, or the file is damaged")
            case .unsupportedEncryption: KeychainError(.unsupportedFormat, PKCS12Error.remedy)
            case .tooLarge: KeychainError(.dataTooLarge, "a PKCS#12 file may have 16 MiB and 10,000 certificates")
            }
    }
}
