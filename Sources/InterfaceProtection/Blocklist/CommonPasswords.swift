// SPDX-License-Identifier: Apache-2.0

/// Passwords that others use: the 30,000 of zxcvbn's list, as a filter (Documentation/Formats/CommonPasswords.md).
///
/// A password of the list is always found; another one is taken for a listed one once in 10,000 times.
public enum CommonPasswords {
    /// Whether `password`, UTF-8 of any case, is on the list.
    public static func contains(_ password: Span<UInt8>) -> Bool {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in password.indices {
            value = (value ^ UInt64(UTF8Text.lowercased(password[index]))) &* 0x100_0000_01B3
        }
        let first = mix(value)
        let step = mix(value ^ 0x9E37_79B9_7F4A_7C15) | 1
        return (0..<UInt64(probes)).allSatisfy { probe in
            let position = Int((first &+ probe &* step) % UInt64(bits))
            return (filter[position / 6] - 48) >> UInt8(position % 6) & 1 == 1
        }
    }

    /// Whether it is on the list, or is made of one that is in a way that guessing programs try first: a listed word with
    /// digits and signs round it, one word or character again and again, or characters that follow each other.
    public static func isExpected(_ password: Span<UInt8>) -> Bool {
        if contains(password) || isRun(password) { return true }
        let core = core(of: password)
        if !core.isEmpty, core.count < password.count, contains(password.extracting(core)) { return true }
        guard let unit = repeatedUnit(of: password) else { return false }
        return unit == 1 || contains(password.extracting(0..<unit)) || isRun(password.extracting(0..<unit))
    }

    private static let filter = Array((part1 + part2).utf8)

    private static func mix(_ value: UInt64) -> UInt64 {
        var value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }

    /// What is left without the digits and signs at both ends, if it has at least four letters of ASCII.
    private static func core(of password: Span<UInt8>) -> Range<Int> {
        var start = 0
        var end = password.count
        while start < end, !UTF8Text.isLetter(password[start]) { start += 1 }
        while end > start, !UTF8Text.isLetter(password[end - 1]) { end -= 1 }
        return end - start >= 4 ? start..<end : 0..<0
    }

    /// The length of the shortest piece of which the password consists, twice or more; nil if there is none. Linear: the
    /// failure function of Knuth, Morris and Pratt.
    private static func repeatedUnit(of password: Span<UInt8>) -> Int? {
        guard password.count > 1, password.count <= 1024 else { return nil }
        var borders = [0]
        for index in 1..<password.count {
            var border = borders[index - 1]
            while border > 0, password[index] != password[border] { border = borders[border - 1] }
            borders.append(password[index] == password[border] ? border + 1 : 0)
        }
        let unit = password.count - (borders.last ?? 0)
        return unit < password.count && password.count % unit == 0 ? unit : nil
    }

    /// "123456789012345", "abcdefgh", "zyxwvuts": each character is the next one, or each the one before.
    private static func isRun(_ password: Span<UInt8>) -> Bool {
        guard password.count >= 4 else { return false }
        return [1, -1].contains { step in
            (1..<password.count).allSatisfy { index in
                let (old, new) = (Int(password[index - 1]), Int(password[index]))
                return new - old == step || (step == 1 ? (old, new) == (57, 48) : (old, new) == (48, 57))
            }
        }
    }
}
