// SPDX-License-Identifier: Apache-2.0

/// A form of tokens that their issuer documents, or that all of its tokens have.
package struct Issuer: Sendable {
    /// The identifier in reports, behind `token/`.
    package let word: String
    /// The issuer, as people know it.
    package let name: String
    /// What such a token begins with.
    package let prefixes: [String]
    /// The characters behind the prefix.
    package let alphabet: Alphabet
    /// How many of them there are.
    package let lengths: ClosedRange<Int>
    /// What proves one.
    package let proof: Proof
    /// Where a new one is made, and this one is revoked.
    package let rotation: String?
    /// Whether the prefix is in the middle of the token.
    let beginsBefore: Bool

    init(
        _ word: String, _ name: String, _ prefixes: [String], _ alphabet: Alphabet, _ lengths: ClosedRange<Int>,
        proof: Proof = .variety, _ rotation: String? = nil
    ) {
        (self.word, self.name, self.prefixes, self.alphabet) = (word, name, prefixes, alphabet)
        (self.lengths, self.proof, self.rotation) = (lengths, proof, rotation)
        beginsBefore = word == "telegram" || word == "terraform"
    }

    package enum Alphabet: Sendable {
        /// 0 to 9 and a to f.
        case hexadecimal
        case digits
        case lower
        case upper
        case alphanumeric
        /// And `_`, `-`.
        case url
        /// And `.`.
        case dotted
        /// And `+`, `/`, `=`.
        case base64
        /// And all of `.~+/=:%`.
        case wide

        func contains(_ byte: UInt8) -> Bool {
            switch self {
            case .hexadecimal: Byte.isDigit(byte) || (0x61...0x66).contains(byte)
            case .digits: Byte.isDigit(byte)
            case .lower: Byte.isDigit(byte) || Byte.isLower(byte)
            case .upper: Byte.isDigit(byte) || Byte.isUpper(byte)
            case .alphanumeric: Byte.isDigit(byte) || Byte.isLetter(byte)
            case .url: Byte.isWord(byte) || byte == 0x2D
            case .dotted: Byte.isWord(byte) || byte == 0x2D || byte == 0x2E
            case .base64: Byte.isWord(byte) || [0x2B, 0x2F, 0x3D, 0x2D].contains(byte)
            case .wide: Byte.isWord(byte) || [0x2D, 0x2E, 0x7E, 0x2B, 0x2F, 0x3D, 0x3A, 0x25].contains(byte)
            }
        }
    }

    package enum Proof: Sendable {
        /// It isn't made of few characters, of words or of a sequence.
        case variety
        /// The last six characters are the CRC-32 of those behind the last `_` of the prefix, in Base62.
        case checksum
        /// Bech32 of age (BIP 173).
        case bech32
        /// Three parts in Base64, of which the first two are JSON (RFC 7519).
        case webToken
        /// A macaroon in Base64, with its location.
        case macaroon
    }
}

/// The CRC-32 of IEEE 802.3, as GitHub and npm take it.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// Six characters of Base62.
    static func base62(_ value: UInt32) -> [UInt8] {
        var (text, rest) = ([UInt8](), value)
        for _ in 0..<6 {
            text.insert(digits[Int(rest % 62)], at: 0)
            rest /= 62
        }
        return text
    }

    /// Whether the last six characters are the CRC-32 of those before; some writers use lower case before upper.
    static func isValid(_ body: ArraySlice<UInt8>) -> Bool {
        guard body.count > 6 else { return false }
        let sum = crc32(body.dropLast(6))
        let expected = base62(sum)
        if body.suffix(6).elementsEqual(expected) { return true }
        return body.suffix(6).elementsEqual(
            expected.map { Byte.isUpper($0) ? $0 | 0x20 : Byte.isLower($0) ? $0 & 0xDF : $0 })
    }

    /// Bech32 (BIP 173).
    static func isBech32(_ text: ArraySlice<UInt8>) -> Bool {
        let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
        let lower = text.map(Byte.lower)
        guard let one = lower.lastIndex(of: 0x31), one > 0, lower.count - one > 6 else { return false }
        let prefix = lower[..<one]
        var values = prefix.map { $0 >> 5 } + [0] + prefix.map { $0 & 31 }
        for byte in lower[(one + 1)...] {
            guard let value = alphabet.firstIndex(of: byte) else { return false }
            values.append(UInt8(value))
        }
        let generators: [UInt32] = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3]
        var sum: UInt32 = 1
        for value in values {
            let top = sum >> 25
            sum = (sum & 0x1FF_FFFF) << 5 ^ UInt32(value)
            for (bit, generator) in generators.enumerated() where top >> UInt32(bit) & 1 == 1 { sum ^= generator }
        }
        return sum == 1
    }
}
