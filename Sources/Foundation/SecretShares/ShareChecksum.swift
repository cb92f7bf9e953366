// SPDX-License-Identifier: Apache-2.0

/// RS1024: three check words over GF(1024), by which any three wrong words are found, and one is located (SLIP-0039).
enum ShareChecksum {
    private static let generator: [UInt32] = [
        0x00E0_E040, 0x01C1_C080, 0x0383_8100, 0x0707_0200, 0x0E0E_0009, 0x1C0C_2412, 0x3808_6C24, 0x3090_FC48,
        0x21B1_F890, 0x03F3_F120,
    ]

    private static func step(_ sum: UInt32, _ value: UInt16) -> UInt32 {
        let top = sum >> 20
        var next = (sum & 0xF_FFFF) << 10 ^ UInt32(value)
        for (bit, term) in generator.enumerated() { next ^= term & (0 &- (top >> UInt32(bit) & 1)) }
        return next
    }

    /// The sum over a name and `count` values: 1 where the values end with their checksum.
    static func sum(_ name: String, _ values: RawSpan, count: Int) -> UInt32 {
        var sum = name.utf8.reduce(UInt32(1)) { step($0, UInt16($1)) }
        for position in 0..<count { sum = step(sum, values.value(position)) }
        return sum
    }

    /// The three check values behind `count` values.
    static func values(_ name: String, _ values: RawSpan, count: Int) -> [UInt16] {
        let sum = (0..<3).reduce(sum(name, values, count: count)) { sum, _ in step(sum, 0) } ^ 1
        return [20, 10, 0].map { UInt16(truncatingIfNeeded: sum >> $0 & 1023) }
    }

    /// What is wrong with values whose sum is not 1: the one position, or two that changed places, if it is one of
    /// these. Positions begin at 0.
    static func slip(_ name: String, _ values: RawSpan, count: Int) -> ShareError {
        let difference = sum(name, values, count: count) ^ 1
        // The sum is linear: what bit b at position p adds to it is the same in all words.
        var effects: [[UInt32]] = []
        for position in 0..<count {
            effects.append(
                (0..<10).map { bit in
                    (position + 1..<count).reduce(step(0, 1 << UInt16(bit))) { sum, _ in step(sum, 0) }
                })
        }
        let effect = { (position: Int, change: UInt16) in
            effects[position].enumerated().reduce(UInt32(0)) {
                $0 ^ $1.element & (0 &- UInt32(change >> $1.offset & 1))
            }
        }
        for position in 0..<count where (1..<1024).contains(where: { effect(position, $0) == difference }) {
            return .wrongWord(position)
        }
        for second in 0..<count {
            for first in 0..<second {
                let change = values.value(first) ^ values.value(second)
                if effect(first, change) ^ effect(second, change) == difference {
                    return .exchangedWords(first, second)
                }
            }
        }
        return .wrongWords
    }
}
