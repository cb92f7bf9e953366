// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Readers
import SwiftASN1

/// PBES2 (RFC 8018, 6.2) with PBKDF2 over HMAC-SHA-1 or -SHA-2 and AES in CBC mode.
struct PBES2 {
    private let salt: [UInt8]
    let rounds: Int
    private let hash: KDF.Insecure.PBKDF2.HashFunction
    private let keySize: Int
    private let initializationVector: [UInt8]

    /// More rounds than this (about half a second) are refused.
    static let roundsLimit = 5_000_000

    /// Reads the AlgorithmIdentifier. Anything but PBES2 with PBKDF2 and AES is unsupported.
    init(_ algorithm: ASN1Node) throws {
        let parts = try algorithm.parts(1...2)
        guard try parts[0].objectIdentifier() == .pbes2, parts.count == 2 else {
            throw PKCS12Error.unsupportedEncryption
        }
        let parameters = try parts[1].parts(2...2)
        let derivation = try parameters[0].parts(2...2)
        guard try derivation[0].objectIdentifier() == .pbkdf2 else { throw PKCS12Error.unsupportedEncryption }
        let cipher = try parameters[1].parts(2...2)
        keySize = try Self.keySize(cipher[0].objectIdentifier())
        initializationVector = try cipher[1].octets()
        guard initializationVector.count == 16 else { throw PKCS12Error.malformed }

        let values = try derivation[1].parts(2...4)
        salt = try values[0].octets()
        rounds = try values[1].integer()
        guard (1...Self.roundsLimit).contains(rounds), (1...1024).contains(salt.count) else {
            throw PKCS12Error.malformed
        }
        var function = KDF.Insecure.PBKDF2.HashFunction.insecureSHA1
        for value in values[2...] {
            if value.identifier == .integer {
                guard try value.integer() == keySize else { throw PKCS12Error.malformed }
            } else {
                function = try Self.hash(value.parts(1...2)[0].objectIdentifier())
            }
        }
        hash = function
    }

    /// All failures are the same, regardless of their reason.
    func decrypt(_ bytes: [UInt8], passphrase: String) throws -> Data {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 16) else { throw PKCS12Error.malformed }
        do {
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(passphrase.utf8), salt: salt, using: hash, outputByteCount: keySize,
                unsafeUncheckedRounds: rounds)
            return try AES._CBC.decrypt(bytes, using: key, iv: AES._CBC.IV(ivBytes: initializationVector))
        } catch { throw PKCS12Error.wrongPassphrase }
    }

    /// Rounds of written files, as OWASP advises since 2023.
    private static let roundsWritten = 600_000

    /// EncryptedPrivateKeyInfo (RFC 5958) of a private key in PKCS#8: AES-256 in CBC mode and HMAC-SHA-256, as openssl
    /// 3 reads and writes it.
    static func encrypted(_ key: Data, passphrase: String) throws -> [UInt8] {
        let (salt, vector) = (random(), random())
        let sealed: Data
        do {
            let derived = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(passphrase.utf8), salt: salt, using: .sha256, outputByteCount: 32, rounds: roundsWritten)
            sealed = try AES._CBC.encrypt(key, using: derived, iv: AES._CBC.IV(ivBytes: vector))
        } catch { throw PKCS12Error.unsupportedEncryption }
        let hash = DERBytes.sequence([DERBytes.identifier(.hmacSHA256), [0x05, 0]])
        let rounds = DERBytes.integer([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: roundsWritten >> $0) })
        let derivation = DERBytes.sequence([
            DERBytes.identifier(.pbkdf2), DERBytes.sequence([DERBytes.value(0x04, salt), rounds, hash]),
        ])
        let cipher = DERBytes.sequence([DERBytes.identifier(.aes256CBC), DERBytes.value(0x04, vector)])
        let algorithm = DERBytes.sequence([DERBytes.identifier(.pbes2), DERBytes.sequence([derivation, cipher])])
        return DERBytes.sequence([algorithm, DERBytes.value(0x04, Array(sealed))])
    }

    private static func random() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: 0...255) } }

    private static func keySize(_ identifier: ASN1ObjectIdentifier) throws -> Int {
        switch identifier {
        case .aes128CBC: 16
        case .aes192CBC: 24
        case .aes256CBC: 32
        default: throw PKCS12Error.unsupportedEncryption
        }
    }

    private static func hash(_ identifier: ASN1ObjectIdentifier) throws -> KDF.Insecure.PBKDF2.HashFunction {
        switch identifier {
        case .hmacSHA1: .insecureSHA1
        case .hmacSHA256: .sha256
        case .hmacSHA384: .sha384
        case .hmacSHA512: .sha512
        default: throw PKCS12Error.unsupportedEncryption
        }
    }
}

extension ASN1ObjectIdentifier {
    fileprivate static let pbes2: Self = [1, 2, 840, 113549, 1, 5, 13]
    fileprivate static let pbkdf2: Self = [1, 2, 840, 113549, 1, 5, 12]
    fileprivate static let hmacSHA1: Self = [1, 2, 840, 113549, 2, 7]
    fileprivate static let hmacSHA256: Self = [1, 2, 840, 113549, 2, 9]
    fileprivate static let hmacSHA384: Self = [1, 2, 840, 113549, 2, 10]
    fileprivate static let hmacSHA512: Self = [1, 2, 840, 113549, 2, 11]
    fileprivate static let aes128CBC: Self = [2, 16, 840, 1, 101, 3, 4, 1, 2]
    fileprivate static let aes192CBC: Self = [2, 16, 840, 1, 101, 3, 4, 1, 22]
    fileprivate static let aes256CBC: Self = [2, 16, 840, 1, 101, 3, 4, 1, 42]
}
