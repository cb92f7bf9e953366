// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainEngine
import Sealing
import SecretMemory

/// One stanza of age's header and plugin protocol (C2SP age.md, age-plugin.md): words and a body of bytes.
struct AgeStanza {
    var words: [String]
    var body: [UInt8] = []
}

/// An X25519 identity of age (C2SP age.md, "The X25519 recipient type"), as `age-keygen` writes it.
/// It is stored as the secret of an item.
struct AgeKey {
    private static let (secretPrefix, recipientPrefix) = ("age-secret-key-", "age")
    private static let info = Array("age-encryption.org/v1/X25519".utf8)
    private static let kind = "X25519"

    private let key: Secret
    private let publicKey: [UInt8]

    /// A new identity.
    init() throws {
        let pair = try KeyAgreement.generate()
        publicKey = pair.publicKey
        key = Secret(try pair.privateKey.withBytes { try SecretBytes(copying: $0) })
    }

    /// Reads the first identity in a text. Nil: there is none.
    init?(text: Secret) throws {
        guard let text = try String(exposing: text) else { return nil }
        let line = text.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix(Self.secretPrefix + "1") }
        guard let line, let (prefix, bytes) = Bech32.decode(line), prefix == Self.secretPrefix, bytes.count == 32 else {
            return nil
        }
        key = try Secret(copying: bytes)
        publicKey = try key.withSecretBytes { try KeyAgreement.publicKey(of: $0) }
    }

    /// The identity in the form that `age-keygen` writes.
    func text() throws -> Secret {
        let bytes = try [UInt8](exposing: key)
        return try Secret(copying: Array((Bech32.encode(Self.secretPrefix, bytes).uppercased() + "\n").utf8))
    }

    /// The recipient to encrypt to: `age1...`.
    var recipient: String { Bech32.encode(Self.recipientPrefix, publicKey) }

    /// Wraps a file key for this identity.
    func wrapped(_ fileKey: [UInt8]) throws -> AgeStanza {
        let pair = try KeyAgreement.generate()
        let shared = try KeyAgreement.sharedSecret(of: pair.privateKey, with: publicKey)
        let box = try ChaChaPoly.seal(
            fileKey, using: try Self.wrappingKey(shared, pair.publicKey, publicKey), nonce: Self.nonce())
        return AgeStanza(
            words: [Self.kind, AgeText.base64(pair.publicKey)], body: Array(box.ciphertext) + Array(box.tag))
    }

    /// Unwraps a file key. Nil: it is wrapped for another identity.
    func unwrapped(_ stanza: AgeStanza) throws -> [UInt8]? {
        guard stanza.words.count == 2, stanza.words[0] == Self.kind, stanza.body.count == 16 + 16,
            let share = AgeText.bytes(stanza.words[1]), share.count == 32
        else { return nil }
        // `sharedSecret` throws for a share of low order, which belongs to no identity.
        guard let shared = try? key.withSecretBytes({ try KeyAgreement.sharedSecret(of: $0, with: share) }) else {
            return nil
        }
        let box = try ChaChaPoly.SealedBox(
            nonce: Self.nonce(), ciphertext: stanza.body.prefix(16), tag: stanza.body.suffix(16))
        guard let opened = try? ChaChaPoly.open(box, using: try Self.wrappingKey(shared, share, publicKey)) else {
            return nil
        }
        return Array(opened)
    }

    /// Each wrapping key seals only once, so an all-zero nonce is safe.
    private static func nonce() throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12))
    }

    private static func wrappingKey(
        _ shared: borrowing SecretBytes, _ share: [UInt8], _ recipient: [UInt8]
    ) throws -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: try shared.exposingBytes(0..<shared.count) ?? []),
            salt: share + recipient, info: info, outputByteCount: 32)
    }
}

/// The text encodings that age uses.
enum AgeText {
    /// Base64 without padding.
    static func base64(_ bytes: [UInt8]) -> String {
        var text = Data(bytes).base64EncodedString()
        while text.last == "=" { text.removeLast() }
        return text
    }

    /// Decodes it. Nil: the text isn't Base64, or isn't in its canonical form.
    static func bytes(_ text: String) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: text + padding).map({ Array($0) }), base64(bytes) == text else {
            return nil
        }
        return bytes
    }
}

/// Bech32 (BIP 173) of any length, as age encodes its keys.
enum Bech32 {
    private static let letters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    static func encode(_ prefix: String, _ bytes: [UInt8]) -> String {
        let values = regrouped(bytes, from: 8, to: 5, padding: true) ?? []
        let sum = checksum(expanded(prefix) + values + [UInt8](repeating: 0, count: 6)) ^ 1
        let end = (0..<6).map { UInt8(sum >> (5 * (5 - $0)) & 31) }
        return prefix + "1" + String(decoding: (values + end).map { letters[Int($0)] }, as: UTF8.self)
    }

    /// Decodes it. Nil: the text isn't Bech32, or its checksum is wrong.
    static func decode(_ text: some StringProtocol) -> (prefix: String, bytes: [UInt8])? {
        let (lower, upper) = (text.lowercased(), text.uppercased())
        guard text == lower || text == upper, let one = lower.lastIndex(of: "1"), one > lower.startIndex,
            lower.utf8.allSatisfy({ (33...126).contains($0) })
        else { return nil }
        let prefix = String(lower[..<one])
        let values = lower[lower.index(after: one)...].utf8.compactMap { letter in
            letters.firstIndex(of: letter).map { UInt8($0) }
        }
        guard values.count == lower[one...].utf8.count - 1, values.count >= 6,
            checksum(expanded(prefix) + values) == 1,
            let bytes = regrouped(Array(values.dropLast(6)), from: 5, to: 8, padding: false)
        else { return nil }
        return (prefix, bytes)
    }

    private static func expanded(_ prefix: String) -> [UInt8] {
        prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
    }

    private static func checksum(_ values: [UInt8]) -> UInt32 {
        let factors: [UInt32] = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3]
        return values.reduce(1) { sum, value in
            let top = sum >> 25
            return factors.indices.reduce((sum & 0x1FF_FFFF) << 5 ^ UInt32(value)) {
                top >> UInt32($1) & 1 == 1 ? $0 ^ factors[$1] : $0
            }
        }
    }

    /// Regroups bits. Nil: the remaining bits aren't valid padding.
    private static func regrouped(_ values: [UInt8], from: Int, to: Int, padding: Bool) -> [UInt8]? {
        var (store, bits) = (0, 0)
        var result: [UInt8] = []
        for value in values {
            store = (store << from | Int(value)) & 0xFFF
            bits += from
            while bits >= to {
                bits -= to
                result.append(UInt8(store >> bits & (1 << to - 1)))
            }
        }
        let rest = store << (to - bits) & (1 << to - 1)
        if padding { return bits > 0 ? result + [UInt8(rest)] : result }
        return bits < from && rest == 0 ? result : nil
    }
}
