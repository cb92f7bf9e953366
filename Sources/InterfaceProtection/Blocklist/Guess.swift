// SPDX-License-Identifier: Apache-2.0

/// Whether one form of a password, in lower case, is among the first that a guessing program tries.
enum Guess {
    static func isExpected(_ text: Span<UInt8>) -> Bool {
        let all = 0..<text.count
        if isWeak(text, all) || isDate(text, all) { return true }
        if let unit = repeatedUnit(text), unit <= 4 || isWeak(text, 0..<unit) || hasExpectedCore(text, 0..<unit) {
            return true
        }
        return hasExpectedCore(text, all)
    }

    /// A listed word, or a walk over the keyboard.
    private static func isWeak(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        CommonPasswords.isListed(text, range) || KeyboardWalk.covers(text, range)
    }

    /// The same without the digits and signs at its ends: a listed word, two common ones, or one behind another's digits.
    private static func hasExpectedCore(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let core = core(text, of: range)
        guard core.count >= 4 else { return false }
        if core != range {
            // Among random signs four letters in a row, and five, are too often a word.
            let isLong =
                core.count >= 6 || (core.count == 5 && core.lowerBound == range.lowerBound)
                || hasOnlyDigits(text, range.lowerBound..<core.lowerBound, core.upperBound..<range.upperBound)
            if isLong, CommonPasswords.isListed(text, core) { return true }
            if core.count >= 6, KeyboardWalk.covers(text, core) { return true }
        }
        return isTwoWords(text, core) || isTwoParts(text, range)
    }

    private static func hasOnlyDigits(_ text: Span<UInt8>, _ ranges: Range<Int>...) -> Bool {
        ranges.allSatisfy { $0.allSatisfy { UTF8Text.isDigit(text[$0]) } }
    }

    /// What is left without what is no letter, at both ends.
    private static func core(_ text: Span<UInt8>, of range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, !UTF8Text.isLetter(text[start]) { start += 1 }
        while end > start, !UTF8Text.isLetter(text[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Two common words, with a space or a sign between them or without; or three, of which one is very short.
    private static func isTwoWords(_ text: Span<UInt8>, _ core: Range<Int>) -> Bool {
        guard (6...24).contains(core.count) else { return false }
        for middle in core.dropFirst(2).dropLast(1) {
            let isSign = !UTF8Text.isLetter(text[middle]) && !UTF8Text.isDigit(text[middle])
            let (first, second) = (core.lowerBound..<middle, (isSign ? middle + 1 : middle)..<core.upperBound)
            guard first.count >= 3, second.count >= 3, first.count + second.count >= 7 else { continue }
            guard CommonPasswords.isCommon(text, first) else { continue }
            let isListed = second.count >= 4 && core.count <= 12 && CommonPasswords.isListed(text, second)
            if isListed || CommonPasswords.isCommon(text, second)
                || (core.count <= 14 && isShortAndCommon(text, second))
            {
                return true
            }
        }
        return core.count <= 14 && isShortAndCommon(text, core)
    }

    /// "ilove", "me and", "the": a short word and a common one.
    private static func isShortAndCommon(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        shortWords.contains { word in
            guard range.count > word.count + 2, word.indices.allSatisfy({ text[range.lowerBound + $0] == word[$0] })
            else {
                return false
            }
            let rest = (range.lowerBound + word.count)..<range.upperBound
            return CommonPasswords.isCommon(text, rest) || (word.count > 3 && CommonPasswords.isListed(text, rest))
        }
    }

    private static let shortWords = "i me my we la el mi te de love ilove iloveu the and teamo jesus happy sexy".split(
        separator: " "
    ).map { Array($0.utf8) }

    /// Two parts that each are a common word, a walk or digits: "asdf1990qwer", "summer2024password".
    private static func isTwoParts(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= 32 else { return false }
        for middle in range.dropFirst(4).dropLast(3) {
            guard isPart(text, range.lowerBound..<middle), isPart(text, middle..<range.upperBound) else { continue }
            return true
        }
        return false
    }

    private static func isPart(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var end = range.upperBound
        // A word, and digits behind it.
        while end > range.lowerBound, UTF8Text.isDigit(text[end - 1]) { end -= 1 }
        let word = range.lowerBound..<end
        if word.count >= 4, range.upperBound - end <= 8, CommonPasswords.isCommon(text, word) { return true }
        return KeyboardWalk.covers(text, range)
    }

    /// Eight digits that are a day of the last hundred years, in any order.
    private static func isDate(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == 8, hasOnlyDigits(text, range) else { return false }
        func number(_ start: Int, _ count: Int) -> Int {
            (start..<start + count).reduce(0) { $0 * 10 + Int(text[$1]) - 48 }
        }
        return [(4, 0, 2), (4, 2, 0), (0, 6, 4), (0, 4, 6)].contains { year, month, day in
            (1920...2035).contains(number(year, 4)) && (1...12).contains(number(month, 2))
                && (1...31).contains(number(day, 2))
        }
    }

    /// The length of the shortest piece of which the password consists, twice or more; nil if there is none. Linear: the
    /// failure function of Knuth, Morris and Pratt.
    private static func repeatedUnit(_ text: Span<UInt8>) -> Int? {
        guard text.count > 1 else { return nil }
        var borders = [0]
        borders.reserveCapacity(text.count)
        for index in 1..<text.count {
            var border = borders[index - 1]
            while border > 0, text[index] != text[border] { border = borders[border - 1] }
            borders.append(text[index] == text[border] ? border + 1 : 0)
        }
        let unit = text.count - (borders.last ?? 0)
        // The last repetition may be cut off: 123456712345671234.
        return unit * 2 <= text.count ? unit : nil
    }
}
