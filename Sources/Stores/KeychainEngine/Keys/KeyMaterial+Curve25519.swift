// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import Readers
import SwiftASN1

/// Keys on Curve25519 in the forms of RFC 8410. Certificates with such keys give no key, as with
/// Apple's `SecCertificateCopyKey`.
extension KeyMaterial {
    /// Bytes of either half.
    static let curve25519Size = 32

    static func curve25519(_ family: Family, _ role: Role, _ bytes: Data) throws -> KeyMaterial {
        guard bytes.count == curve25519Size else { throw KeyMaterialError.malformed }
        do {
            switch (family, role) {
            case (.ed25519, .private): return .ed25519(try .init(rawRepresentation: bytes))
            case (.ed25519, .public): return .ed25519Public(try .init(rawRepresentation: bytes))
            case (.x25519, .private): return .x25519(try .init(rawRepresentation: bytes))
            case (.x25519, .public): return .x25519Public(try .init(rawRepresentation: bytes))
            default: break
            }
        } catch {}
        throw KeyMaterialError.malformed
    }

    /// The signature of an Ed25519 key over a message (RFC 8032). Errors: `.unsupported` for other keys.
    package func ed25519Signed(_ message: Data) throws -> Data {
        guard case .ed25519(let key) = self else { throw KeyMaterialError.unsupported }
        return try key.signature(for: message)
    }

    /// PKCS#8 of a private key, SubjectPublicKeyInfo of a public one. Nil for any other content.
    /// Errors: `.parted` if the public half beside it (RFC 5958) belongs to another key.
    package init?(curve25519DER der: Data) throws(KeyMaterialError) {
        guard der.count <= 1024, let parts = try? ASN1Reading.value(in: Array(der)[...], .der, limit: 32).parts(2...5)
        else { return nil }
        if parts.count == 2 {
            guard let family = Self.family(parts[0]), let bits = try? ASN1BitString(derEncoded: parts[1]),
                bits.paddingBits == 0
            else { return nil }
            self.init(family, .public, bits.bytes)
        } else {
            guard let version = try? parts[0].integer(), (0...1).contains(version), let family = Self.family(parts[1]),
                let octets = try? parts[2].octets(),
                let inner = try? ASN1Reading.value(in: octets[...], .der, limit: 1).octets()
            else { return nil }
            self.init(family, .private, inner[...])
            let own = publicKey.map { Array($0.externalRepresentation) }
            guard EncodedCurve.publicPoints(inPrivateKeyDER: der).allSatisfy({ $0 == own }) else { throw .parted }
        }
    }

    private init?(_ family: Family, _ role: Role, _ bytes: ArraySlice<UInt8>) {
        guard let key = try? Self.curve25519(family, role, Data(bytes)) else { return nil }
        self = key
    }

    /// The family that an AlgorithmIdentifier without parameters names.
    private static func family(_ algorithm: ASN1Node) -> Family? {
        switch try? algorithm.parts(1...1)[0].objectIdentifier() {
        case [1, 3, 101, 112]: .ed25519
        case [1, 3, 101, 110]: .x25519
        default: nil
        }
    }

    /// The same two forms. The bytes before the 32 bytes are constant.
    static func curve25519DER(_ family: Family, _ role: Role, _ bytes: Data) -> Data {
        let algorithm: [UInt8] = [0x30, 5, 6, 3, 0x2B, 0x65, family == .ed25519 ? 0x70 : 0x6E]
        let before: [UInt8] =
            role == .private
            ? [0x30, 46, 2, 1, 0] + algorithm + [4, 34, 4, 32] : [0x30, 42] + algorithm + [3, 33, 0]
        return Data(before) + bytes
    }
}
