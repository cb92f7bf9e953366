// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
package import Foundation
import SwiftASN1

extension KeyMaterial {
    /// Apple's representation: X9.63 for EC (04 || X || Y, followed by K for private keys), PKCS#1 for RSA, the bytes
    /// themselves for symmetric keys.
    /// For Curve25519 it is the 32 bytes of RFC 8032 and 7748. For a private key in a TPM it is empty.
    package var externalRepresentation: Data {
        switch self {
        case .p256(let key): key.x963Representation
        case .tpm: Data()
        case .p384(let key): key.x963Representation
        case .p521(let key): key.x963Representation
        case .p256Public(let key): key.x963Representation
        case .p384Public(let key): key.x963Representation
        case .p521Public(let key): key.x963Representation
        case .rsa(let key): key.derRepresentation
        case .rsaPublic(let key): key.pkcs1DERRepresentation
        case .ed25519(let key): key.rawRepresentation
        case .ed25519Public(let key): key.rawRepresentation
        case .x25519(let key): key.rawRepresentation
        case .x25519Public(let key): key.rawRepresentation
        case .symmetric(let bytes): bytes
        }
    }

    /// Reads Apple's representation. The length of an EC key determines its curve.
    package init(_ family: Family, _ role: Role, externalRepresentation bytes: Data) throws {
        switch (family, role) {
        case (.symmetric, _): self = .symmetric(bytes)
        case (.rsa, .private): self = .rsa(try Self.readWhole(bytes) { try .init(unsafeDERRepresentation: bytes) })
        case (.rsa, .public): self = .rsaPublic(try Self.readWhole(bytes) { try .init(unsafeDERRepresentation: bytes) })
        case (.ec, .private): self = try Self.ellipticPrivate(bytes)
        case (.ec, .public): self = try Self.ellipticPublic(bytes)
        case (.ed25519, _), (.x25519, _): self = try Self.curve25519(family, role, bytes)
        default: throw KeyMaterialError.malformed
        }
    }

    private static func ellipticPrivate(_ bytes: Data) throws -> KeyMaterial {
        switch bytes.count {
        case 1 + 3 * P256.fieldSize: .p256(try read { try .init(x963Representation: bytes) })
        case 1 + 3 * P384.fieldSize: .p384(try read { try .init(x963Representation: bytes) })
        case 1 + 3 * P521.fieldSize: .p521(try read { try .init(x963Representation: bytes) })
        default: throw KeyMaterialError.malformed
        }
    }

    private static func ellipticPublic(_ bytes: Data) throws -> KeyMaterial {
        switch bytes.count {
        case 1 + 2 * P256.fieldSize: .p256Public(try read { try .init(x963Representation: bytes) })
        case 1 + 2 * P384.fieldSize: .p384Public(try read { try .init(x963Representation: bytes) })
        case 1 + 2 * P521.fieldSize: .p521Public(try read { try .init(x963Representation: bytes) })
        default: throw KeyMaterialError.malformed
        }
    }

    /// A public key in a SubjectPublicKeyInfo (RFC 5280).
    package init(subjectPublicKeyInfo der: Data) throws {
        guard der.count <= Self.derLimit else { throw KeyMaterialError.tooLarge }
        if EncodedCurve(subjectPublicKeyInfo: der) == .other { throw KeyMaterialError.malformed }
        if let key = try? P256.Signing.PublicKey(derRepresentation: der) {
            self = .p256Public(key)
        } else if let key = try? P384.Signing.PublicKey(derRepresentation: der) {
            self = .p384Public(key)
        } else if let key = try? P521.Signing.PublicKey(derRepresentation: der) {
            self = .p521Public(key)
        } else {
            self = .rsaPublic(try Self.readWhole(der) { try .init(unsafeDERRepresentation: der) })
        }
    }

    /// Bytes of the longest DER of a key. An RSA key of 16,384 bits, the longest that the library reads, has
    /// about 9,300.
    /// Its parsers build a node for each value, so that long garbage would take much memory.
    private static let derLimit = 1 << 16

    /// A private key in PKCS#8, SEC 1 or PKCS#1.
    package init(privateKeyDER der: Data) throws {
        guard der.count <= Self.derLimit else { throw KeyMaterialError.tooLarge }
        let curve = EncodedCurve(privateKeyDER: der)
        if curve == .other { throw KeyMaterialError.malformed }
        if let key = try? P256.Signing.PrivateKey(derRepresentation: der) {
            self = .p256(key)
        } else if let key = try? P384.Signing.PrivateKey(derRepresentation: der) {
            self = .p384(key)
        } else if let key = try? P521.Signing.PrivateKey(derRepresentation: der) {
            self = .p521(key)
        } else {
            self = .rsa(try Self.readWhole(der) { try .init(unsafeDERRepresentation: der) })
        }
        if case .bits(let size) = curve, size != sizeInBits { throw KeyMaterialError.malformed }
        // The library uses only the private number, so a damaged one would become another key.
        if family == .ec, !EncodedCurve.publicPoints(inPrivateKeyDER: der).allSatisfy(hasPoint) {
            throw KeyMaterialError.parted
        }
    }

    /// Whether the public half is this point, in any of the forms of SEC 1, 2.3.3.
    private func hasPoint(_ point: [UInt8]) -> Bool {
        guard let own = publicKey.map({ Array($0.externalRepresentation.dropFirst()) }), let form = point.first,
            let isOdd = own.last.map({ $0 & 1 })
        else { return false }
        let (x, rest) = (own.prefix(own.count / 2), point.dropFirst())
        return switch form {
        case 4: rest.elementsEqual(own)
        case 6 + isOdd: rest.elementsEqual(own)
        case 2 + isOdd: rest.elementsEqual(x)
        default: false
        }
    }

    /// PKCS#8 for private keys, SubjectPublicKeyInfo for public ones. For a private key in a TPM it is empty.
    package var interchangeRepresentation: Data {
        switch self {
        case .p256(let key): key.derRepresentation
        case .tpm: Data()
        case .p384(let key): key.derRepresentation
        case .p521(let key): key.derRepresentation
        case .p256Public(let key): key.derRepresentation
        case .p384Public(let key): key.derRepresentation
        case .p521Public(let key): key.derRepresentation
        case .rsa(let key): key.pkcs8DERRepresentation
        case .rsaPublic(let key): key.derRepresentation
        case .ed25519, .ed25519Public, .x25519, .x25519Public:
            Self.curve25519DER(family, role, externalRepresentation)
        case .symmetric(let bytes): bytes
        }
    }

    /// Modulus and exponent of an RSA key, without leading zeros; nil for others.
    package var rsaNumbers: (modulus: [UInt8], exponent: [UInt8])? {
        guard case .rsaPublic(let key) = publicKey, let numbers = try? key.getKeyPrimitives() else { return nil }
        return (Array(numbers.modulus.drop { $0 == 0 }), Array(numbers.publicExponent.drop { $0 == 0 }))
    }

    /// Overwrites the copy after parsing.
    private static func checkWhole(_ copy: consuming [UInt8]) throws {
        var bytes = copy
        defer { for index in bytes.indices { bytes[index] = 0 } }
        _ = try DER.parse(bytes)
    }

    /// The library stops at the key's end. Bytes after it are an error.
    private static func readWhole<Key>(_ der: Data, _ body: () throws -> Key) throws -> Key {
        guard der.count <= derLimit else { throw KeyMaterialError.tooLarge }
        return try read {
            try checkWhole(Array(der))
            return try body()
        }
    }

    private static func read<Key>(_ body: () throws -> Key) throws -> Key {
        do { return try body() } catch { throw KeyMaterialError.malformed }
    }
}
