// SPDX-License-Identifier: Apache-2.0

/// The key expansion of AES-256 (FIPS 197, 5.2), to look for round keys in memory.
enum AESKeySchedule {
    /// The last two round keys. The key can be computed from two neighbouring ones.
    static func last(of key: [UInt8]) -> [[UInt8]] {
        var words = stride(from: 0, to: 32, by: 4).map { Array(key[$0..<$0 + 4]) }
        var constant: UInt8 = 1
        for index in 8..<60 {
            var word = words[index - 1]
            if index % 8 == 0 {
                word = [word[1], word[2], word[3], word[0]].map(substitute)
                word[0] ^= constant
                constant = double(constant)
            } else if index % 8 == 4 {
                word = word.map(substitute)
            }
            words.append(zip(words[index - 8], word).map { $0 ^ $1 })
        }
        return [Array(words[52..<56].joined()), Array(words[56..<60].joined())]
    }

    private static func double(_ value: UInt8) -> UInt8 { value << 1 ^ (value & 0x80 == 0 ? 0 : 0x1B) }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (sum, left) = (UInt8(0), left)
        for bit in 0..<8 {
            if right >> bit & 1 == 1 { sum ^= left }
            left = double(left)
        }
        return sum
    }

    /// The S-box: the inverse in GF(2^8), then an affine map.
    private static func substitute(_ value: UInt8) -> UInt8 {
        let inverse = (1...UInt8.max).first { product(value, $0) == 1 } ?? 0
        let rotated = (1...4).map { inverse << $0 | inverse >> (8 - $0) }
        return rotated.reduce(inverse ^ 0x63, ^)
    }
}
