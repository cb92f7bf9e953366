// SPDX-License-Identifier: Apache-2.0

/// Passwords that others use, and the words that they are made of, as a filter (Documentation/Formats/CommonPasswords.md).
///
/// A listed one is always found; another one is taken for a listed one once in 32,768 times.
public enum CommonPasswords {
    /// Whether `password`, UTF-8 of any case, is on the list.
    public static func contains(_ password: Span<UInt8>) -> Bool { isListed(password, 0..<password.count) }

    /// Whether it is on the list, or is made of what is there in a way that guessing programs try first: with digits and signs
    /// round it, signs for letters, once more or backwards; two such words, walks over the keyboard, dates and years; the
    /// same in Cyrillic letters, by their sound or by their keys.
    public static func isExpected(_ password: Span<UInt8>) -> Bool {
        guard password.count > 0 else { return false }
        do {
            return try ExpectedForms(password).contain(Guess.isExpected)
        } catch {
            // Without memory for a secret nothing can be said; the rule that asked fails for the same reason when it copies.
            return contains(password)
        }
    }

    static func isListed(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool { value(of: text, range) != nil }

    /// Whether it is one of the words of which two in a row are no better than one.
    static func isCommon(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool { value(of: text, range) == 1 }

    /// What the filter holds: 1 for a common word, 0 for another one; nil if it isn't listed.
    private static func value(of text: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in range { value = (value ^ UInt64(UTF8Text.lowercased(text[index]))) &* 0x100_0000_01B3 }
        let hash = mix(value &+ seed)
        let first = hash.multipliedFullWidth(by: segmentCount * segmentLength).high
        let second = (first + segmentLength) ^ (hash >> 18 & (segmentLength - 1))
        let third = (first + 2 * segmentLength) ^ (hash & (segmentLength - 1))
        let found = entry(first) ^ entry(second) ^ entry(third)
        let fingerprint = UInt16(truncatingIfNeeded: (hash ^ hash >> 32) >> 3) & 0x7FFF
        return found >> 1 == fingerprint ? found & 1 : nil
    }

    private static func entry(_ place: UInt64) -> UInt16 {
        let first = Int(place) * 16 / 6
        var bits: UInt32 = 0
        for offset in 0..<4 where first + offset < filter.count {
            bits |= UInt32(filter[first + offset] - 48) << UInt32(6 * offset)
        }
        return UInt16(truncatingIfNeeded: bits >> UInt32(Int(place) * 16 % 6))
    }

    private static let filter = Array((part1 + part2 + part3 + part4 + part5).utf8)

    private static func mix(_ value: UInt64) -> UInt64 {
        var value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}
