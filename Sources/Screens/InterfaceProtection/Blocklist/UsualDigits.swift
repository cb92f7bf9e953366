// SPDX-License-Identifier: Apache-2.0

/// The digits that people write beside a word. In leaked passwords three quarters of all words with one digit have a 1,
/// and two thirds of those with four digits a year or 1234; of random digits, few are among these.
enum UsualDigits {
    /// Whether `range` is empty or such digits: some numbers, equal digits, counted ones, a year, the same two twice.
    static func contain(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.allSatisfy({ UTF8Text.isDigit(text[$0]) }) else { return false }
        if range.count > 2, KeyboardWalk.isStraight(text, range) || KeyboardWalk.isYear(text, range) { return true }
        switch range.count {
        case 0: return true
        case 1...3: return numbers.contains(range.reduce(1) { $0 * 10 + Int(text[$1]) - 48 })
        case 4, 6:
            let (half, start) = (range.count / 2, range.lowerBound)
            return range.prefix(half).allSatisfy { text[$0] == text[$0 + half] }
                || (half == 2 && text[start] == text[start + 1] && text[start + 2] == text[start + 3])
        default: return false
        }
    }

    /// Whether `range` is 123 or goes on from there: what is tried after every row of letters.
    static func areFirst(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count >= 3 && text[range.lowerBound] == UInt8(ascii: "1")
            && text[range.lowerBound + 1] == UInt8(ascii: "2") && KeyboardWalk.isStraight(text, range)
    }

    /// With a 1 before each, so that 7 and 007 differ.
    private static let numbers: Set<Int> = Set(
        """
        1 2 3 12 11 01 13 10 22 21 23 99 69 14 09 08 07 15 88 00 77 \
        101 007 100 420 001 786 911 520 143 456 117 789 600 112 250 500 121 300 316 521 200 182 150 569 728 619 626 747 125 \
        159 313 350 360 987 228 009 147 1314 4869
        """.split(separator: " ").compactMap { Int("1" + $0) })
}
