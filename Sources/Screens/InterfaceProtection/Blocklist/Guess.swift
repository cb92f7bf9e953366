// SPDX-License-Identifier: Apache-2.0

/// Whether one form of a password, in lower case, is among the first that a guessing program tries.
struct Guess {
    /// How a form came about.
    struct Form: OptionSet {
        let rawValue: Int

        /// Signs were read as letters. Too many short random strings become two words that way.
        static let spelled = Form(rawValue: 1)
        /// The characters between words were left out.
        static let joined = Form(rawValue: 2)
        /// Capital letters are where people don't write them, as in random strings.
        static let oddCase = Form(rawValue: 4)
        /// The case changes more often than in two words that each begin with a capital.
        static let mixedCase = Form(rawValue: 8)
    }

    let form: Form

    func isExpected(_ text: Span<UInt8>) -> Bool {
        let all = 0..<text.count
        if isWeak(text, all) || isDate(text, all) || KeyboardWalk.isInterwoven(text) || isLittleBesidePassword(text)
            || isFramed(text)
        {
            return true
        }
        // Repetition makes no piece stronger: one of fewer than eight characters is too short. Four characters have at
        // most twelve bytes in other scripts.
        if let unit = repeatedUnit(text),
            unit <= (text[0] < 0x80 ? 7 : 12) || isWeak(text, 0..<unit) || hasExpectedCore(text, 0..<unit)
                || (hasOnlyLetters(text, 0..<unit) && CommonPasswords.isPlausible(text, 0..<unit))
        {
            return true
        }
        return hasExpectedCore(text, all) || hasLongWalk(text) || isPlausibleBesideUsual(text)
    }

    /// Whether the text is a word that some language could have, and what people write beside one: a sign or none,
    /// usual digits, and at most two signs. A year or 123 may also be before it. Examples: "Wisla.1906", "piesek1!",
    /// "honza_75", "123kohana".
    ///
    /// No list has all words. This form is so rare among random strings that the letters need only be plausible, and
    /// before a year or 123 five letters and less needn't even be that.
    private func isPlausibleBesideUsual(_ text: Span<UInt8>) -> Bool {
        guard form.isEmpty, text.count <= 24 else { return false }
        let word = core(text, of: 0..<text.count)
        guard (3...16).contains(word.count), hasOnlyLetters(text, word) else { return false }
        let isPlausible = CommonPasswords.isPlausible(text, word)
        let before = 0..<word.lowerBound
        guard before.isEmpty else {
            return word.count >= 5 && word.upperBound == text.count && isPlausible
                && (KeyboardWalk.isYear(text, before) || UsualDigits.areFirst(text, before))
        }
        var (start, end) = (word.upperBound, text.count)
        while end > start, Self.usualSigns.contains(text[end - 1]) { end -= 1 }
        while start < end, start < word.upperBound + 2, Self.usualSigns.contains(text[start]) { start += 1 }
        let digits = start..<end
        guard text.count - end <= 2, hasOnlyDigits(text, digits) else { return false }
        let hasSign = digits.count < text.count - word.count
        if KeyboardWalk.isYear(text, digits) || UsualDigits.areFirst(text, digits) {
            // Of eight characters without a sign, too many random strings are five letters before 123.
            let areAny = hasSign ? word.count <= 5 : word.count <= 5 && text.count > 8
            return areAny || (word.count >= 4 && isPlausible)
        }
        // Two digits behind a sign are often a year. Without a sign, so many random strings are letters before one
        // digit or two that `readsAsWord` decides.
        let areUsual = UsualDigits.contain(text, digits)
        let isEnough =
            hasSign ? word.count >= 4 && (areUsual || digits.count == 2) : word.count >= 6 && digits.count > 2
        return isEnough && (areUsual || hasSign) && isPlausible
    }

    /// The signs that people write beside a word.
    private static let usualSigns = Array("!.@_-#*?$+".utf8)

    /// Whether the text ends as it begins, with at least three characters, two around six digits or more, and only
    /// digits between: "lol123lol".
    private func isFramed(_ text: Span<UInt8>) -> Bool {
        guard (8...24).contains(text.count) else { return false }
        return (2...(text.count - 1) / 2).contains { count in
            let digits = text.count - 2 * count
            return (count > 2 || digits >= 6) && hasOnlyDigits(text, count..<text.count - count)
                && (0..<count).allSatisfy { text[$0] == text[text.count - count + $0] }
        }
    }

    /// Whether fewer than eight characters are left without the most common word, "password": "mypasswordispassword".
    private func isLittleBesidePassword(_ text: Span<UInt8>) -> Bool {
        guard text.count <= 64 else { return false }
        var (rest, index) = (0, 0)
        while index < text.count {
            let isThere =
                text[index] == Self.first[0] && index + Self.first.count <= text.count
                && Self.first.indices.allSatisfy { text[index + $0] == Self.first[$0] }
            rest += isThere ? 0 : 1
            index += isThere ? Self.first.count : 1
        }
        return rest < 8 && rest < text.count
    }

    private static let first = Array("password".utf8)

    /// Whether six or more digits form a walk with at most three letters beside them, or a straight walk with one digit
    /// after it. Before letters or after them, the digits may also be one half repeated. Nine or more digits that form
    /// a walk may have two after them. Examples: "abc123456", "12345671", "12345678911".
    private func hasLongWalk(_ text: Span<UInt8>) -> Bool {
        guard (8...24).contains(text.count) else { return false }
        for count in 1...min(3, text.count - 6) {
            let (start, end) = (count..<text.count, 0..<text.count - count)
            if hasOnlyDigits(text, start), hasOnlyLetters(text, 0..<count), isWalkOrTwice(text, start) { return true }
            guard hasOnlyDigits(text, end) else { continue }
            if hasOnlyLetters(text, end.upperBound..<text.count), isWalkOrTwice(text, end) { return true }
            guard count < 3, UTF8Text.isDigit(text[text.count - 1]) else { continue }
            if end.count >= 9 ? KeyboardWalk.covers(text, end) : count == 1 && KeyboardWalk.isStraight(text, end) {
                return true
            }
        }
        return false
    }

    /// Whether `range` is a listed word. With odd capitals the word must be common, or one that the filter holds under
    /// two hashes.
    private func isListed(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        CommonPasswords.isListed(text, range)
            && (!form.contains(.oddCase) || CommonPasswords.isCommon(text, range)
                || CommonPasswords.asksTwice(text, range))
    }

    /// A listed word, or a walk over the keyboard.
    private func isWeak(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        isListed(text, range) || (!form.contains(.spelled) && KeyboardWalk.covers(text, range))
    }

    /// Whether, without the digits and signs at its ends, `range` is a listed word, two common ones, or a word that
    /// follows another word's digits.
    private func hasExpectedCore(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let core = core(text, of: range)
        guard core.count >= 4 else { return false }
        let (before, after) = (range.lowerBound..<core.lowerBound, core.upperBound..<range.upperBound)
        let areUsual = UsualDigits.contain(text, before) && UsualDigits.contain(text, after)
        // In other forms, four words can look like one.
        if form.isEmpty, before.isEmpty, core.count >= 8 || areUsual,
            CommonPasswords.readsAsWord(text, core, digits: after.count)
                || (core.count >= 6 && UsualDigits.areFirst(text, after) && hasOnlyLetters(text, core))
        {
            return true
        }
        if core != range {
            if isListedBesideEnds(text, core, of: range, areUsual: areUsual) { return true }
            if core.count >= (areUsual ? 6 : 8), isWalkOrTwice(text, core) { return true }
        }
        if form.contains(.spelled), core.count < 10 { return false }
        if form.contains(.mixedCase) { return false }
        return (isTwoWords(text, core) || isTwoParts(text, range)) && !isThreeWords(text, core)
    }

    /// Whether `core` is a listed word, with what is beside it in `range`. The shorter a word is, the more random
    /// strings have it: beside signs and beside digits that aren't usual it must be longer.
    private func isListedBesideEnds(
        _ text: Span<UInt8>, _ core: Range<Int>, of range: Range<Int>, areUsual: Bool
    ) -> Bool {
        let (isFirst, isLast) = (core.lowerBound == range.lowerBound, core.upperBound == range.upperBound)
        switch core.count {
        case 7...: return (areUsual || isFirst || text.count > 9) && isListed(text, core)
        case 6:
            guard areUsual || !form.contains(.spelled) else { return false }
            return isListed(text, core)
        case 5 where isFirst && !hasOnlyDigits(text, core.upperBound..<range.upperBound): break
        default:
            guard core.count == 5 || isFirst || isLast,
                hasOnlyDigits(text, range.lowerBound..<core.lowerBound, core.upperBound..<range.upperBound)
            else { return false }
        }
        guard areUsual, isFirst || isLast || !form.contains(.spelled) else { return false }
        return isFirst && form.isEmpty ? isListed(text, core) : CommonPasswords.isCommon(text, core)
    }

    private func isWalkOrTwice(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        if KeyboardWalk.covers(text, range) || KeyboardWalk.hasLinesOfThree(text, range) { return true }
        let half = range.count / 2
        return range.count % 2 == 0 && range.prefix(half).allSatisfy { text[$0] == text[$0 + half] }
    }

    private func hasOnlyDigits(_ text: Span<UInt8>, _ ranges: Range<Int>...) -> Bool {
        ranges.allSatisfy { $0.allSatisfy { UTF8Text.isDigit(text[$0]) } }
    }

    private func hasOnlyLetters(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.allSatisfy { UTF8Text.isLetter(text[$0]) }
    }

    /// What is left without the characters at both ends that are not letters.
    private func core(_ text: Span<UInt8>, of range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, !UTF8Text.isLetter(text[start]) { start += 1 }
        while end > start, !UTF8Text.isLetter(text[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Whether `core` is two common words, with a space or a sign between them or without, or three of which one is
    /// very short.
    private func isTwoWords(_ text: Span<UInt8>, _ core: Range<Int>) -> Bool {
        guard (6...24).contains(core.count) else { return false }
        var (spelling, end) = (CommonPasswords.Spelling(), core.lowerBound)
        for middle in core.dropFirst(2).dropLast(1) {
            while end < middle {
                spelling.add(text[end])
                end += 1
            }
            let isSign = !UTF8Text.isLetter(text[middle]) && !UTF8Text.isDigit(text[middle])
            let (first, second) = (core.lowerBound..<middle, (isSign ? middle + 1 : middle)..<core.upperBound)
            guard first.count >= 3, second.count >= 3, first.count + second.count >= 8 else { continue }
            // Of eight random letters too many are a word of three and one of five.
            guard core.count > 8 || first.count == 4 else { continue }
            guard CommonPasswords.isCommon(text, range: first, spelling: spelling) else { continue }
            // Of eight random letters too many are a common word and a rarer one.
            let isListed = second.count >= 4 && (9...12).contains(core.count) && isListed(text, second)
            if isListed || CommonPasswords.isCommon(text, second)
                || (core.count <= 14 && isShortAndCommon(text, second))
            {
                return true
            }
        }
        return core.count <= 18 && isShortAndCommon(text, core)
    }

    /// Whether `range` is a short word and a common one: "ilove", "me and", "the".
    private func isShortAndCommon(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 7, UTF8Text.isLetter(text[range.lowerBound]), text[range.lowerBound] < 0x80 else {
            return false
        }
        return Self.shortWords[Int(text[range.lowerBound] & 0x1F)].contains { word in
            guard range.count >= word.count + (word.count < 5 ? 4 : 3),
                word.indices.allSatisfy({ text[range.lowerBound + $0] == word[$0] })
            else {
                return false
            }
            let rest = (range.lowerBound + word.count)..<range.upperBound
            return CommonPasswords.isCommon(text, rest) || (word.count > 3 && isListed(text, rest))
                || (range.count >= 11 && isTwoCommonWords(text, rest))
        }
    }

    /// Whether `range` is three common words. The filter takes some pairs of words for one, and three aren't weak.
    private func isThreeWords(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard (12...32).contains(range.count) else { return false }
        return range.dropFirst(4).dropLast(7).contains { middle in
            CommonPasswords.isCommon(text, range.lowerBound..<middle)
                && range.dropFirst(middle - range.lowerBound + 4).dropLast(3).contains { second in
                    CommonPasswords.isCommon(text, middle..<second)
                        && CommonPasswords.isCommon(text, second..<range.upperBound)
                }
        }
    }

    private func isTwoCommonWords(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= 16 else { return false }
        return range.dropFirst(3).dropLast(2).contains { middle in
            CommonPasswords.isCommon(text, range.lowerBound..<middle)
                && CommonPasswords.isCommon(text, middle..<range.upperBound)
        }
    }

    /// By their first letter, whose lower five bits are its place.
    private static let shortWords: [[[UInt8]]] = {
        let words = """
            i me my we la el mi te de love ilove iloveu the and teamo jesus happy sexy \
            mon ma mes le les un une du moi toi tu los las mis una soy meu eu amo os as um uma do da ich du mein der die das ti mio il
            """.split(separator: " ").map { Array($0.utf8) }
        return (0..<32).map { letter in words.filter { $0.first.map { Int($0 & 0x1F) } == letter } }
    }()

    /// Two parts that each are a common word, a walk or digits: "asdf1990qwer", "summer2024password".
    private func isTwoParts(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= 32 else { return false }
        var (spelling, end) = (CommonPasswords.Spelling(), range.lowerBound)
        // `isCommon`: whether the text before `end` is common without its final digits. `digits`: how many these are.
        var (isCommon, digits) = (false, 0)
        for middle in range.dropFirst(4).dropLast(3) {
            while end < middle {
                spelling.add(text[end])
                digits = UTF8Text.isDigit(text[end]) ? digits + 1 : 0
                end += 1
                let word = range.lowerBound..<end
                if digits == 0 {
                    isCommon = word.count >= 4 && CommonPasswords.isCommon(text, range: word, spelling: spelling)
                }
            }
            let isFirstPart = (isCommon && digits <= 8) || KeyboardWalk.covers(text, range.lowerBound..<middle)
            if isFirstPart, isPart(text, middle..<range.upperBound) { return true }
        }
        return false
    }

    private func isPart(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var end = range.upperBound
        // A word, and digits after it.
        while end > range.lowerBound, UTF8Text.isDigit(text[end - 1]) { end -= 1 }
        let word = range.lowerBound..<end
        if word.count >= 4, range.upperBound - end <= 8, CommonPasswords.isCommon(text, word) { return true }
        return KeyboardWalk.covers(text, range)
    }

    /// Whether `range` is eight digits that form a date from 1920 to 2035, in one of four orders.
    private func isDate(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == 8, hasOnlyDigits(text, range) else { return false }
        func number(_ start: Int, _ count: Int) -> Int {
            (start..<start + count).reduce(0) { $0 * 10 + Int(text[$1]) - 48 }
        }
        return [(4, 0, 2), (4, 2, 0), (0, 6, 4), (0, 4, 6)].contains { year, month, day in
            (1920...2035).contains(number(year, 4)) && (1...12).contains(number(month, 2))
                && (1...31).contains(number(day, 2))
        }
    }

    /// The length of the shortest piece of which the password consists, repeated at least once; nil if there is none.
    ///
    /// The last repetition may be cut off: 123456712345671234. The text has at most 256 bytes, and nearly all pieces
    /// fail at once.
    private func repeatedUnit(_ text: Span<UInt8>) -> Int? {
        guard text.count > 1 else { return nil }
        return (1...text.count / 2).first { unit in
            text[text.count - 1] == text[text.count - 1 - unit]
                && (unit..<text.count).allSatisfy { text[$0] == text[$0 - unit] }
        }
    }
}
