// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
package import Foundation
import Sealing
import SecurityTypes

/// A signature algorithm of SSH: RFC 8332, RFC 5656, RFC 8709.
package enum SSHSignature: String, Sendable, CaseIterable {
    case rsaSHA256 = "rsa-sha2-256"
    case rsaSHA512 = "rsa-sha2-512"
    case p256 = "ecdsa-sha2-nistp256"
    case p384 = "ecdsa-sha2-nistp384"
    case p521 = "ecdsa-sha2-nistp521"
    case ed25519 = "ssh-ed25519"

    /// Nil if the signature is made without a `KeyAlgorithm`.
    fileprivate var algorithm: KeyAlgorithm? {
        switch self {
        case .rsaSHA256: KeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA256")
        case .rsaSHA512: KeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA512")
        case .p256: KeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA256")
        case .p384: KeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA384")
        case .p521: KeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA512")
        case .ed25519: nil
        }
    }
}

extension KeyMaterial {
    /// SSH's name of such keys; nil if it has none.
    package var sshName: String? {
        switch self {
        case .p256, .tpm, .p256Public: SSHSignature.p256.rawValue
        case .p384, .p384Public: SSHSignature.p384.rawValue
        case .p521, .p521Public: SSHSignature.p521.rawValue
        case .rsa, .rsaPublic: Self.sshRSA
        case .ed25519, .ed25519Public: SSHSignature.ed25519.rawValue
        case .x25519, .x25519Public, .symmetric: nil
        }
    }

    static let sshRSA = "ssh-rsa"
    /// Bytes of the longest modulus that is read here: 8192 bits.
    static let sshModulusLimit = 1024

    /// The public half in SSH's form (RFC 4253, section 6.6); nil if SSH has no such keys.
    package var sshPublicKey: [UInt8]? {
        guard let name = sshName, let publicKey else { return nil }
        var writer = ByteWriter()
        writer.prefixed(text: name)
        switch publicKey {
        case .rsaPublic(let key):
            guard let numbers = try? key.getKeyPrimitives() else { return nil }
            writer.prefixed(magnitude: numbers.publicExponent)
            writer.prefixed(magnitude: numbers.modulus)
        case .ed25519Public(let key): writer.prefixed(key.rawRepresentation)
        default:
            writer.prefixed(text: String(name.dropFirst(Self.ecdsaPrefix.count)))
            writer.prefixed(publicKey.externalRepresentation)
        }
        return writer.bytes
    }

    static let ecdsaPrefix = "ecdsa-sha2-"

    /// A public key in SSH's form. Keys in certificates and on tokens are refused.
    package init(sshPublicKey bytes: [UInt8]) throws {
        var reader = SSHReader(bytes)
        let name = try reader.text()
        switch name {
        case Self.sshRSA:
            let exponent = try reader.magnitude(atMost: 8)
            let modulus = try reader.magnitude(atMost: Self.sshModulusLimit)
            self = .rsaPublic(try Self.readSSH { try .init(n: Data(modulus), e: Data(exponent)) })
        case SSHSignature.ed25519.rawValue:
            self = try Self(.ed25519, .public, externalRepresentation: Data(try reader.string()))
        case SSHSignature.p256.rawValue, SSHSignature.p384.rawValue, SSHSignature.p521.rawValue:
            guard try reader.text() == name.dropFirst(Self.ecdsaPrefix.count) else { throw SSHFormatError() }
            self = try Self(.ec, .public, externalRepresentation: Data(try reader.string()))
            guard sshName == name else { throw SSHFormatError() }
        default: throw SSHFormatError()
        }
        try reader.end()
    }

    private static func readSSH<Key>(_ body: () throws -> Key) throws -> Key {
        do { return try body() } catch { throw SSHFormatError() }
    }

    /// The signature algorithm of this key; nil if it has none, or not the wanted one. `wanted`: one of the two
    /// algorithms of RSA.
    package func sshSignature(_ wanted: SSHSignature? = nil) -> SSHSignature? {
        guard let name = sshName else { return nil }
        guard name == Self.sshRSA else { return SSHSignature(rawValue: name) }
        return wanted == .rsaSHA256 || wanted == .rsaSHA512 ? wanted : nil
    }

    /// Signs a message. The result is a signature in SSH's form: the name of the algorithm, and the bytes.
    package func sshSigned(_ message: Data, _ way: SSHSignature) throws -> [UInt8] {
        guard sshSignature(way) == way, role == .private else { throw KeyMaterialError.unsupported }
        var writer = ByteWriter(capacity: 1200)
        writer.prefixed(text: way.rawValue)
        if case .ed25519 = self {
            writer.prefixed(try ed25519Signed(message))
        } else if let algorithm = way.algorithm {
            let signature = try sign(message, algorithm)
            writer.prefixed(family == .rsa ? Array(signature) : Self.numbers(of: signature))
        } else {
            throw KeyMaterialError.unsupported
        }
        return writer.bytes
    }

    /// The numbers `r` and `s` (RFC 5656, section 3.1.2).
    private static func numbers(of signature: Data) -> [UInt8] {
        var writer = ByteWriter(capacity: 160)
        writer.prefixed(magnitude: signature.prefix(signature.count / 2))
        writer.prefixed(magnitude: signature.suffix(signature.count / 2))
        return writer.bytes
    }

    /// Whether a signature in SSH's form is this key's over the message.
    package func isSSHSignature(_ signature: [UInt8], of message: Data) -> Bool {
        var reader = SSHReader(signature)
        guard let name = try? reader.text(), let way = SSHSignature(rawValue: name), sshSignature(way) == way,
            let bytes = try? reader.string(), reader.isAtEnd, let publicKey
        else { return false }
        if case .ed25519Public(let key) = publicKey { return key.isValidSignature(Data(bytes), for: message) }
        guard let algorithm = way.algorithm, let signature = fixedSize(Array(bytes)) else { return false }
        return (try? publicKey.verify(signature, of: message, algorithm)) == true
    }

    /// The form that the library expects: fixed lengths, with omitted leading zeros restored.
    private func fixedSize(_ bytes: [UInt8]) -> Data? {
        func padded(_ number: some Collection<UInt8>) -> Data? {
            number.count > blockSize ? nil : Data(repeating: 0, count: blockSize - number.count) + Data(number)
        }
        guard family == .ec else { return padded(bytes) }
        var reader = SSHReader(bytes)
        guard let r = try? reader.magnitude(atMost: blockSize), let s = try? reader.magnitude(atMost: blockSize),
            reader.isAtEnd, let first = padded(r), let second = padded(s)
        else { return nil }
        return first + second
    }
}
