// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
import SecretMemory

/// Attributes as Documentation/Formats/Keychain.md, "Attributes", says, with every field open to a fault.
struct ItemEncoding {
    var version: UInt8 = 1
    var flags: UInt8 = 1
    var count: UInt16?
    /// Name, type and the bytes behind the type.
    var attributes: [(name: [UInt8], type: UInt8, value: [UInt8])]
    var trailing: [UInt8] = []

    static let account = Array("anna".utf8)
    static let service = Array("service".utf8)
    static let group = Array("test".utf8)

    init(accessibility: String = "ak") {
        attributes = [
            Self.text("acct", Self.account), Self.text("agrp", Self.group), Self.date("cdat", 700_000_000),
            Self.date("mdat", 700_000_001), Self.text("pdmn", Array(accessibility.utf8)),
            Self.text("svce", Self.service), (Array("sync".utf8), 3, KeybagWriter.zeros(8)),
        ]
    }

    static func text(_ name: String, _ value: [UInt8]) -> (name: [UInt8], type: UInt8, value: [UInt8]) {
        (Array(name.utf8), 1, KeybagWriter.bytes(UInt32(value.count)) + value)
    }

    static func date(_ name: String, _ seconds: Double) -> (name: [UInt8], type: UInt8, value: [UInt8]) {
        (Array(name.utf8), 4, KeybagWriter.bytes(seconds.bitPattern))
    }

    var bytes: [UInt8] {
        [version, flags] + KeybagWriter.bytes(count ?? UInt16(attributes.count))
            + attributes.flatMap { [UInt8($0.name.count)] + $0.name + [$0.type] + $0.value } + trailing
    }
}

/// Cryptography on plain bytes, for writers of vectors.
enum VectorCryptography {
    /// AES-256-GCM with a nonce that is always the same, or no vector would be written twice alike.
    static func seal(_ plaintext: [UInt8], _ key: [UInt8], _ associated: [UInt8]) throws -> [UInt8] {
        let nonce = try AES.GCM.Nonce(data: KeybagWriter.pattern(40, 12))
        let box = try AES.GCM.seal(
            plaintext, using: SymmetricKey(data: key), nonce: nonce, authenticating: associated)
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    static func expand(_ key: [UInt8], _ label: KeyLabel, _ context: [UInt8]) throws -> [UInt8] {
        try exposed(
            try KeyDerivation.expand(from: try SecretBytes(copying: key), label: label, context: context))
    }

    static func code(_ key: [UInt8], _ message: [UInt8]) throws -> [UInt8] {
        try KeyDerivation.authenticationCode(for: message, under: try SecretBytes(copying: key))
    }

    static func wrap(_ key: [UInt8], under wrapping: [UInt8]) throws -> [UInt8] {
        try KeyWrap.wrap(try SecretBytes(copying: key), under: try SecretBytes(copying: wrapping))
    }

    static func exposed(_ secret: borrowing SecretBytes) throws -> [UInt8] {
        try secret.exposingBytes(0..<secret.count) ?? []
    }
}
