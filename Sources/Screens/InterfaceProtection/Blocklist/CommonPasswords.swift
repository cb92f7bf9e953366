// SPDX-License-Identifier: Apache-2.0

/// A filter of passwords in common use and of the words they consist of (Documentation/Formats/CommonPasswords.md).
///
/// It finds every listed password. It mistakes another text for a listed one once in 2,048 times if the text reads as a
/// word of fewer than twelve letters. Otherwise it does so once in four million times.
public enum CommonPasswords {
    /// Whether the list contains `password`, UTF-8 in any case.
    public static func contains(_ password: Span<UInt8>) -> Bool { isListed(password, 0..<password.count) }

    /// Whether `password` is on the list, or is built from it by a pattern that guessing programs try first.
    ///
    /// Such patterns are digits and signs at the ends, signs for letters, repetition, and reversal. Two listed words,
    /// keyboard walks, dates and years count too. So does the same in Cyrillic letters, by sound or by key.
    public static func isExpected(_ password: Span<UInt8>) -> Bool {
        guard password.count > 0 else { return false }
        do {
            return try ExpectedForms(password).contain { Guess(form: $1).isExpected($0) }
        } catch {
            // Without memory for a secret there is no answer. The rule that asked fails for the same reason when
            // it copies.
            return contains(password)
        }
    }

    static func isListed(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool { value(of: text, range) != nil }

    /// Whether `range` consists of letters in sequences typical of words and names of any language. So few random
    /// strings do that such a word is as weak as a listed one. The more digits follow the word, the shorter it may be.
    static func readsAsWord(_ text: Span<UInt8>, _ range: Range<Int>, digits: Int) -> Bool {
        guard (5...limits.count).contains(range.count), let cost = cost(of: text, range) else { return false }
        return cost <= Int(limits[range.count - 1][min(digits, 3)])
    }

    /// Whether the letters of `range` could be a word's. One in ten random rows of letters is that plausible.
    static func isPlausible(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let cost = cost(of: text, range) else { return false }
        let length = min(range.count, limits.count)
        return cost * length <= Int(limits[length - 1][5]) * range.count
    }

    /// Whether `range` is so common a word that two in a row are no better than one.
    static func isCommon(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool { value(of: text, range) == 1 }

    /// Like `isCommon(_:_:)`, for the text that `spelling` has hashed so far.
    static func isCommon(_ text: Span<UInt8>, range: Range<Int>, spelling: Spelling) -> Bool {
        range.count <= longest && value(of: text, range, spelling) == 1
    }

    /// The running hash of a word, so that hashing all prefixes of a text costs no more than hashing the whole.
    struct Spelling {
        fileprivate var hash: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(UTF8Text.lowercased(byte))) &* 0x100_0000_01B3 }
    }

    /// The filter's value for a word: 1 for a common word, 0 for another listed one, nil for an unlisted one.
    private static func value(of text: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        guard range.count <= longest else { return nil }
        var spelling = Spelling()
        for index in range { spelling.add(text[index]) }
        return value(of: text, range, spelling)
    }

    private static func value(of text: Span<UInt8>, _ range: Range<Int>, _ spelling: Spelling) -> UInt16? {
        let hash = mix(spelling.hash &+ seed)
        guard let value = Self.value(at: hash) else { return nil }
        return asksTwice(text, range) && Self.value(at: mix(hash &+ seed)) != value ? nil : value
    }

    private static func value(at hash: UInt64) -> UInt16? {
        let first = hash.multipliedFullWidth(by: segmentCount * segmentLength).high
        let second = (first + segmentLength) ^ (hash >> 36 & (segmentLength - 1))
        let third = (first + 2 * segmentLength) ^ (hash >> 18 & (segmentLength - 1))
        let fourth = (first + 3 * segmentLength) ^ (hash & (segmentLength - 1))
        let found = entry(first) ^ entry(second) ^ entry(third) ^ entry(fourth)
        let fingerprint = UInt16(truncatingIfNeeded: (hash ^ hash >> 32) >> 3) & 0x7FF
        return found >> 1 == fingerprint ? found & 1 : nil
    }

    /// Whether the filter holds the word under two hashes: it doesn't read as a word, or it is long. The first kind
    /// looks like a random string; of the second there are few.
    static func asksTwice(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count < limits.count, !range.isEmpty, let cost = cost(of: text, range) else { return true }
        return cost > Int(limits[range.count - 1][4])
    }

    /// The rarity of the letters, each after the two before it; nil if there is any other character.
    private static func cost(of text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        // Index 26 represents the beginning and the end.
        var (pair, cost) = (26 * 27 + 26, 0)
        for index in range {
            let letter = Int(UTF8Text.lowercased(text[index])) - 97
            guard (0..<26).contains(letter) else { return nil }
            cost += Int(costs[pair * 27 + letter])
            pair = pair % 27 * 27 + letter
        }
        return cost + Int(costs[pair * 27 + 26])
    }

    private static func entry(_ place: UInt64) -> UInt16 {
        let bit = Int(place) * 12
        let (word, shift) = (bit / 64, UInt64(bit % 64))
        var bits = filter[word] >> shift
        if shift > 52 { bits |= filter[word + 1] << (64 - shift) }
        return UInt16(truncatingIfNeeded: bits) & 0xFFF
    }

    /// The longest listed word has this many bytes.
    private static let longest = 32

    private static let costs: [UInt8] = {
        let words = packed(triples)
        return (0..<27 * 27 * 27).map { UInt8(truncatingIfNeeded: words[$0 / 16] >> UInt64($0 % 16 * 4)) & 0xF }
    }()

    private static let filter = packed(part1 + part2 + part3 + part4 + part5 + part6 + part7 + part8)

    /// Two characters hold thirteen bits.
    private static func packed(_ text: String) -> [UInt64] {
        var (words, buffer, count): ([UInt64], UInt64, UInt64) = ([], 0, 0)
        words.reserveCapacity(text.utf8.count * 13 / 128 + 2)
        var low: UInt64?
        for byte in text.utf8 {
            guard let first = low else {
                low = digit(byte)
                continue
            }
            let value = first + digit(byte) * 91
            low = nil
            buffer |= value << count
            count += 13
            if count >= 64 {
                words.append(buffer)
                count -= 64
                buffer = value >> (13 - count)
            }
        }
        return words + [buffer, 0]
    }

    /// The characters from "!" on, without quotation mark, number sign and backslash.
    private static func digit(_ byte: UInt8) -> UInt64 {
        UInt64(byte) - (byte > UInt8(ascii: "\\") ? 36 : byte > UInt8(ascii: "#") ? 35 : 33)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}
