// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import Foundation
import SwiftASN1

/// A key as JSON (RFC 7517, 7518 and 8037): RSA, P-256, P-384, P-521, Ed25519, X25519.
struct JSONWebKey: Codable {
    private var kty: String
    private var crv: String?
    private var x: String?
    private var y: String?
    private var n: String?
    private var e: String?
    private var d: String?
    private var p: String?
    private var q: String?
    private var dp: String?
    private var dq: String?
    private var qi: String?

    private static let curves = [256: "P-256", 384: "P-384", 521: "P-521"]

    /// Nil for symmetric keys, and for private keys in a TPM.
    init?(_ key: KeyMaterial) {
        guard let publicKey = key.publicKey, !key.isInTPM else { return nil }
        let representation = key.externalRepresentation
        switch key.family {
        case .rsa:
            guard let numbers = key.rsaNumbers else { return nil }
            (kty, n, e) = ("RSA", Self.text(numbers.modulus), Self.text(numbers.exponent))
            guard key.role == .private else { return }
            guard let values = Self.integers(representation), values.count == 9 else { return nil }
            (d, p, q) = (Self.text(values[3]), Self.text(values[4]), Self.text(values[5]))
            (dp, dq, qi) = (Self.text(values[6]), Self.text(values[7]), Self.text(values[8]))
        case .ec:
            guard let curve = Self.curves[key.sizeInBits] else { return nil }
            // 04, X, Y and for a private key K, all of one length.
            let part = { (place: Int) in representation.dropFirst(1 + place * key.blockSize).prefix(key.blockSize) }
            (kty, crv, x, y) = ("EC", curve, Self.text(part(0)), Self.text(part(1)))
            if key.role == .private { d = Self.text(part(2)) }
        case .ed25519, .x25519:
            (kty, crv) = ("OKP", key.family == .ed25519 ? "Ed25519" : "X25519")
            x = Self.text(publicKey.externalRepresentation)
            if key.role == .private { d = Self.text(representation) }
        case .symmetric: return nil
        }
    }

    /// The key in a file; nil if the file is no JSON object. Errors: `.damaged`, `.unsupportedFormat`.
    static func key(_ file: Data) throws -> KeyMaterial? {
        guard file.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else { return nil }
        guard file.count <= sizeLimit, let read = try? JSONDecoder().decode(Self.self, from: file) else {
            throw KeychainError(
                .damaged, "this JSON is not one key (JWK, RFC 7517); of a set of keys, put one into a file of its own")
        }
        guard let key = try read.material() else {
            throw KeychainError(
                .unsupportedFormat,
                "this JWK is not a key of RSA (2048 bits or more, with n, e, d, p and q), P-256, P-384, P-521, Ed25519 or X25519"
            )
        }
        return key
    }

    private static let sizeLimit = 1 << 16

    /// Nil if the key has another type, or a part is missing. Errors: `.damaged` for parts that don't make one key.
    private func material() throws -> KeyMaterial? {
        do {
            switch kty {
            case "RSA":
                guard let n = Self.bytes(n), let e = Self.bytes(e), n.count >= 256, n.count <= 2048, e.count <= 8 else {
                    return nil
                }
                guard d != nil else { return .rsaPublic(try .init(n: n, e: e)) }
                guard let d = Self.bytes(d), let p = Self.bytes(p), let q = Self.bytes(q) else { return nil }
                return try whole(.rsa(try .init(n: n, e: e, d: d, p: p, q: q)), n)
            case "EC":
                guard let bits = Self.curves.first(where: { $1 == crv })?.key, let x = Self.bytes(x),
                    let y = Self.bytes(y), x.count == (bits + 7) / 8, y.count == x.count
                else { return nil }
                let point = [4] + x + y
                guard d != nil else { return try KeyMaterial(.ec, .public, externalRepresentation: Data(point)) }
                guard let d = Self.bytes(d), d.count == x.count else { return nil }
                let key = try KeyMaterial(.ec, .private, externalRepresentation: Data(point + d))
                return try whole(key, point)
            case "OKP":
                guard let family = ["Ed25519": KeyMaterial.Family.ed25519, "X25519": .x25519][crv ?? ""],
                    let x = Self.bytes(x)
                else { return nil }
                guard d != nil else { return try KeyMaterial(family, .public, externalRepresentation: Data(x)) }
                guard let d = Self.bytes(d) else { return nil }
                return try whole(try KeyMaterial(family, .private, externalRepresentation: Data(d)), x)
            default: return nil
            }
        } catch {
            throw KeychainError(.damaged, "the numbers of this JWK don't make a key")
        }
    }

    /// Returns the key if its private half belongs to the public half beside it. Throws `.malformed` otherwise.
    private func whole(_ key: KeyMaterial, _ expected: [UInt8]) throws -> KeyMaterial {
        let found = key.rsaNumbers?.modulus ?? Array(key.publicKey?.externalRepresentation ?? Data())
        guard found == (key.family == .rsa ? Array(expected.drop { $0 == 0 }) : expected) else {
            throw KeyMaterialError.malformed
        }
        return key
    }

    /// The magnitudes in PKCS#1, without leading zeros.
    private static func integers(_ der: Data) -> [ArraySlice<UInt8>]? {
        guard let parts = try? DER.parse(Array(der)), case .constructed(let nodes) = parts.content else { return nil }
        return nodes.compactMap { node in
            guard case .primitive(let bytes) = node.content else { return nil }
            return bytes.drop { $0 == 0 }
        }
    }

    private static let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// URL-safe Base64, without padding (RFC 4648, section 5).
    private static func text(_ bytes: some Collection<UInt8>) -> String {
        // Three bytes are four signs. No copy of the bytes is made: `Data` leaves one in memory.
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (value, bits): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            (value, bits) = (value << 8 | UInt32(byte), bits + 8)
            while bits >= 6 {
                bits -= 6
                text.append(signs[Int(value >> bits & 63)])
            }
        }
        if bits > 0 { text.append(signs[Int(value << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(_ text: String?) -> [UInt8]? {
        guard let text, !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map(Array.init)
    }
}

extension KeyMaterial {
    /// A JWK in one line; nil for symmetric keys, and for private keys in a TPM.
    package var jwk: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let key = JSONWebKey(self), let bytes = try? encoder.encode(key) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A PEM private key in PKCS#8 under a passphrase (PBES2); nil for other keys.
    package func encryptedPEM(passphrase: String) throws -> String? {
        guard role == .private, !isInTPM else { return nil }
        return PEMBlock(
            "ENCRYPTED PRIVATE KEY", Data(try PBES2.encrypted(interchangeRepresentation, passphrase: passphrase))
        ).text
    }
}
