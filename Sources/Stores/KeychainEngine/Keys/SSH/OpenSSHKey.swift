// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
package import Foundation
import Readers
import Sealing
import SwiftASN1

/// A private key in OpenSSH's format (its PROTOCOL.key), as ssh-keygen writes it: `-----BEGIN OPENSSH
/// PRIVATE KEY-----`.
package struct OpenSSHKey: Sendable {
    package let material: KeyMaterial
    package let comment: String

    /// The label of the PEM block.
    package static let label = "OPENSSH PRIVATE KEY"

    private static let magic = Array("openssh-key-v1\0".utf8)
    private static let none = "none"
    /// Bytes of the longest file. An RSA key of 8192 bits has about 4,700, and comments are short.
    private static let limit = 1 << 16

    private init(_ material: KeyMaterial, _ comment: String) {
        self.material = material
        self.comment = comment
    }

    /// The key in the bytes of the block.
    ///
    /// Errors: `.unsupportedFormat` for a key under a passphrase (bcrypt derives its key, which the library doesn't
    /// have), on a token, or of another type; `.damaged`.
    package init(_ bytes: Data) throws(KeychainError) {
        do { self = try Self.read(Array(bytes)) } catch let error as KeychainError { throw error } catch {
            throw KeychainError(.damaged, "the OpenSSH key in this file is damaged")
        }
    }

    /// Whether the block states that its key is under a passphrase.
    package static func isEncrypted(_ bytes: Data) -> Bool {
        var reader = SSHReader(Array(bytes.prefix(256)))
        guard let begin = try? reader.bytes(magic.count), begin.elementsEqual(magic), let cipher = try? reader.text()
        else { return false }
        return cipher != none
    }

    private static func read(_ bytes: [UInt8]) throws -> OpenSSHKey {
        guard bytes.count <= limit else { throw SSHFormatError() }
        var reader = SSHReader(bytes)
        guard try reader.bytes(magic.count).elementsEqual(magic) else { throw SSHFormatError() }
        let (cipher, derivation) = (try reader.text(), try reader.text())
        let options = try reader.string()
        guard cipher == none, derivation == none else { throw KeychainError(.unsupportedFormat, remedy) }
        guard options.isEmpty, try reader.number() == 1 else { throw SSHFormatError() }
        let publicKey = Array(try reader.string())
        var content = SSHReader(try reader.string())
        try reader.end()
        // Equal after decryption with the right passphrase, and so always here.
        guard try content.number() == content.number() else { throw SSHFormatError() }
        let name = try content.text()
        guard let material = try privateKey(name, &content) else {
            throw KeychainError(
                .unsupportedFormat,
                "the key in this file is of the type \(name.printable.prefix(64)); RSA of 2048 to 8192 bits, P-256, P-384, P-521 and Ed25519 can be read"
            )
        }
        let comment = try content.text()
        for (place, byte) in content.rest.enumerated() where Int(byte) != (place + 1) & 0xFF { throw SSHFormatError() }
        // Padding to blocks of 8 bytes; some writers use 16 or more.
        guard content.rest.count < 256, material.sshPublicKey == publicKey else { throw SSHFormatError() }
        return OpenSSHKey(material, comment)
    }

    private static let remedy = """
        the key is under a passphrase of OpenSSH's own format, which is not read here; take the passphrase from a copy in memory, import that, and remove it: \
        cp FILE /dev/shm/key && ssh-keygen -p -N '' -f /dev/shm/key
        """

    /// Reads the fields of a private key, as this format and ssh-add have them; nil for an unknown type.
    package static func privateKey(_ name: String, _ reader: inout SSHReader) throws -> KeyMaterial? {
        switch name {
        case KeyMaterial.sshRSA:
            // Larger keys are read whole too, so that the error can name their size.
            let (n, e) = (try reader.magnitude(atMost: limit), try reader.magnitude(atMost: 8))
            let (d, _) = (try reader.magnitude(atMost: limit), try reader.magnitude(atMost: limit))
            let (p, q) = (try reader.magnitude(atMost: limit), try reader.magnitude(atMost: limit))
            guard (256...KeyMaterial.sshModulusLimit).contains(n.count) else {
                throw KeychainError(
                    .unsupportedFormat,
                    "the RSA key in this file has some \(8 * n.count) bits; keys of 2048 to \(8 * KeyMaterial.sshModulusLimit) can be read"
                )
            }
            var own = [d, p, q].map { Data($0) }
            defer { for index in own.indices { own[index].resetBytes(in: 0..<own[index].count) } }
            return .rsa(try .init(n: Data(n), e: Data(e), d: own[0], p: own[1], q: own[2]))
        case SSHSignature.ed25519.rawValue:
            let (publicKey, both) = (try reader.string(), try reader.string())
            guard both.count == 64, both.suffix(32) == publicKey else { throw SSHFormatError() }
            return try KeyMaterial(.ed25519, .private, externalRepresentation: Data(both.prefix(32)))
        case SSHSignature.p256.rawValue, SSHSignature.p384.rawValue, SSHSignature.p521.rawValue:
            guard try reader.text() == name.dropFirst(KeyMaterial.ecdsaPrefix.count) else { throw SSHFormatError() }
            let point = Data(try reader.string())
            let size = (point.count - 1) / 2
            let scalar = try reader.magnitude(atMost: max(0, size))
            guard scalar.count <= size else { throw SSHFormatError() }
            let padded = Data(repeating: 0, count: size - scalar.count) + Data(scalar)
            let key = try KeyMaterial(.ec, .private, externalRepresentation: point + padded)
            guard key.sshName == name else { throw SSHFormatError() }
            return key
        default: return nil
        }
    }

    /// The PEM text, without a passphrase; nil for keys that SSH doesn't have. The text is in ordinary memory.
    package static func pem(of material: KeyMaterial, comment: String) -> String? {
        guard material.role == .private, let name = material.sshName, let publicKey = material.sshPublicKey,
            let own = fields(of: material)
        else { return nil }
        var content = ByteWriter(capacity: 4096)
        let check = UInt32.random(in: .min ... .max)
        content.integer(check)
        content.integer(check)
        content.prefixed(text: name)
        content.append(own)
        content.prefixed(text: comment)
        for number in 1...8 where !content.bytes.count.isMultiple(of: 8) { content.append([UInt8(number)]) }
        var writer = ByteWriter(capacity: 4096)
        writer.append(magic)
        for text in [none, none, ""] { writer.prefixed(text: text) }
        writer.integer(UInt32(1))
        writer.prefixed(publicKey)
        writer.prefixed(content.bytes)
        return PEMBlock(label, Data(writer.bytes)).text
    }

    /// The fields between a key's name and its comment.
    private static func fields(of material: KeyMaterial) -> [UInt8]? {
        var writer = ByteWriter(capacity: 4096)
        switch material {
        case .rsa(let key):
            guard let numbers = try? numbers(ofRSA: key.derRepresentation), numbers.count == 9 else { return nil }
            // PKCS#1: version, n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p.
            for place in [1, 2, 3, 8, 4, 5] { writer.prefixed(magnitude: numbers[place]) }
        case .ed25519(let key):
            let publicKey = key.publicKey.rawRepresentation
            writer.prefixed(publicKey)
            writer.prefixed(key.rawRepresentation + publicKey)
        case .p256, .p384, .p521:
            guard let name = material.sshName, let point = material.publicKey?.externalRepresentation else {
                return nil
            }
            writer.prefixed(text: String(name.dropFirst(KeyMaterial.ecdsaPrefix.count)))
            writer.prefixed(point)
            writer.prefixed(magnitude: material.externalRepresentation.dropFirst(point.count))
        default: return nil
        }
        return writer.bytes
    }

    private static func numbers(ofRSA der: Data) throws -> [ArraySlice<UInt8>] {
        try ASN1Reading.value(in: Array(der)[...], .der, limit: 16).parts(9...9).map { try $0.bytes() }
    }
}
