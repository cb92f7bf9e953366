// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// The readings of a password, in lower-case ASCII, that are looked up in the filter.
///
/// They are the password itself, the letters that its signs represent, and its reverse. A Cyrillic password is also
/// read by the keys and by the sound of its letters. Each reading is a secret that is wiped after use.
struct ExpectedForms: ~Copyable {
    private let password: SecretBytes
    private let isASCII: Bool
    private let form: Guess.Form

    /// Only the first 256 bytes are checked: what follows makes no difference to a guess.
    private static let limit = 256

    init(_ text: Span<UInt8>) throws {
        let count = min(text.count, Self.limit)
        var isASCII = true
        for index in 0..<count where text[index] >= 0x80 { isASCII = false }
        self.isASCII = isASCII
        form = Self.form(of: text.extracting(0..<count))
        password = try SecretBytes(count: count) { bytes in
            for index in 0..<count {
                bytes.storeBytes(of: UTF8Text.lowercased(text[index]), toByteOffset: index, as: UInt8.self)
            }
        }
    }

    /// Whether a capital letter follows another letter, unless all letters are capitals; and whether the case changes
    /// in a way that words don't: more than once if there are capitals in a row, more than three times otherwise.
    private static func form(of text: Span<UInt8>) -> Guess.Form {
        var (hasInner, hasSmall, hasRow, changes) = (false, false, false, 0)
        for index in text.indices {
            let (isCapital, isSmall) = ((0x41...0x5A).contains(text[index]), (0x61...0x7A).contains(text[index]))
            if index > 0, isCapital, UTF8Text.isLetter(text[index - 1]) { hasInner = true }
            if index > 0, isCapital, (0x41...0x5A).contains(text[index - 1]) { hasRow = true }
            if index > 0,
                isCapital && (0x61...0x7A).contains(text[index - 1])
                    || isSmall && (0x41...0x5A).contains(text[index - 1])
            {
                changes += 1
            }
            hasSmall = hasSmall || isSmall
        }
        guard hasInner, hasSmall else { return [] }
        return changes > (hasRow ? 1 : 3) && text.count <= 12 ? [.oddCase, .mixedCase] : .oddCase
    }

    /// A test of one form.
    typealias Condition = (Span<UInt8>, Guess.Form) -> Bool

    /// Whether `condition` holds for one of the forms.
    func contain(_ condition: Condition) throws -> Bool {
        try password.withBytes { bytes in
            let text = Span<UInt8>(_bytes: bytes)
            if isASCII { return try isMet(text, condition) }
            if condition(text, form) { return true }
            if let form = try Latin.form(of: text),
                try form.withBytes({ try isMet(Span<UInt8>(_bytes: $0), condition) })
            {
                return true
            }
            return try Cyrillic.all.contains { table in
                guard let form = try table.form(of: text) else { return false }
                return try form.withBytes { try isMet(Span<UInt8>(_bytes: $0), condition) }
            }
        }
    }

    /// Whether `condition` holds with signs and digits read as letters: those between the first and the last letter,
    /// or all.
    private func hasExpectedLetters(_ text: Span<UInt8>, _ condition: Condition) throws -> Bool {
        guard let first = text.indices.first(where: { UTF8Text.isLetter(text[$0]) }),
            let last = text.indices.last(where: { UTF8Text.isLetter(text[$0]) })
        else { return false }
        func signs(_ range: Range<Int>) -> Int { range.count { Leet.all[0].letter(text[$0]) != nil } }
        let ranges = [first..<last, 0..<text.count]
        // With more signs than that, the text isn't a word written with signs.
        for (range, others, share) in [(ranges[0], 0, 2), (ranges[1], signs(ranges[0]), 3)]
        where signs(range) > others && signs(range) * share <= text.count && (share == 2 || text.count <= 16) {
            for variant in Leet.all where variant.isFirst || range.contains(where: { variant.differs(text[$0]) }) {
                let spelled = try SecretBytes(count: text.count) { bytes in
                    for index in text.indices {
                        let letter = range.contains(index) ? variant.letter(text[index]) : nil
                        bytes.storeBytes(of: letter ?? text[index], toByteOffset: index, as: UInt8.self)
                    }
                }
                if try spelled.withBytes({ condition(Span<UInt8>(_bytes: $0), form.union(.spelled)) }) { return true }
            }
        }
        return false
    }

    /// Words without the signs between them, where these are few: "i love you".
    private func joined(_ text: Span<UInt8>) throws -> SecretBytes? {
        func isKept(_ byte: UInt8) -> Bool { UTF8Text.isLetter(byte) || UTF8Text.isDigit(byte) }
        let count = text.indices.count { isKept(text[$0]) }
        guard count >= 7, count < text.count, count * 4 >= text.count * 3, count <= 20 else { return nil }
        // Of three long words no two are one.
        let parts = text.indices.filter { !isKept(text[$0]) }
        let ends = zip([-1] + parts, parts + [text.count])
        guard parts.count < 2 || ends.contains(where: { $1 - $0 < 5 }) else { return nil }
        var next = 0
        return try SecretBytes(count: count) { bytes in
            for index in text.indices where isKept(text[index]) {
                bytes.storeBytes(of: text[index], toByteOffset: next, as: UInt8.self)
                next += 1
            }
        }
    }

    private func isMet(_ text: Span<UInt8>, _ condition: Condition) throws -> Bool {
        if condition(text, form) || KnownPhrases.contain(text) || KeyboardWalk.isLines(text) { return true }
        if try hasExpectedLetters(text, condition) { return true }
        if let joined = try joined(text),
            try joined.withBytes({ condition(Span<UInt8>(_bytes: $0), form.union(.joined)) })
        {
            return true
        }
        let isPlain = text.indices.allSatisfy { UTF8Text.isLetter(text[$0]) || UTF8Text.isDigit(text[$0]) }
        // Signs are not written backwards, and each lookup in the filter may mistake a random string for a listed one.
        if isPlain, try isCommonBackwards(text, 0..<text.count) { return true }
        guard let word = wordWithEnds(text) else { return false }
        return try isCommonBackwards(text, word)
    }

    private func isCommonBackwards(_ text: Span<UInt8>, _ range: Range<Int>) throws -> Bool {
        let backwards = try SecretBytes(count: range.count) { bytes in
            for index in range {
                bytes.storeBytes(
                    of: text[range.upperBound - 1 - index + range.lowerBound], toByteOffset: index - range.lowerBound,
                    as: UInt8.self)
            }
        }
        return try backwards.withBytes { CommonPasswords.isCommon(Span<UInt8>(_bytes: $0), 0..<range.count) }
    }

    /// The one row of at least five letters, four before a year, that has digits or signs at its ends, at most four of
    /// them before it or behind it, and no more than half as many as letters where there are signs: "drowssap2024",
    /// "nogard!".
    private func wordWithEnds(_ text: Span<UInt8>) -> Range<Int>? {
        guard let first = text.indices.first(where: { UTF8Text.isLetter(text[$0]) }),
            let last = text.indices.last(where: { UTF8Text.isLetter(text[$0]) })
        else { return nil }
        let word = first..<last + 1
        let ends = text.count - word.count
        let isBeforeYear = first == 0 && KeyboardWalk.isYear(text, word.upperBound..<text.count)
        guard word.count >= (isBeforeYear ? 4 : 5), (1...6).contains(ends), first <= 4,
            word.count > 5 || UsualDigits.contain(text, word.upperBound..<text.count) || ends > 3,
            first == 0 || word.upperBound == text.count || word.count > 5,
            text.count - word.upperBound <= 4,
            word.allSatisfy({ UTF8Text.isLetter(text[$0]) })
        else { return nil }
        let areDigits = text.indices.allSatisfy { word.contains($0) || UTF8Text.isDigit(text[$0]) }
        return areDigits || ends * 2 <= word.count ? word : nil
    }
}

/// Latin letters without their marks.
private enum Latin {
    /// The bases of À to ÿ, then of Ā to ſ; a space marks a letter without one.
    private static let bases = Array(
        ("aaaaaaaceeeeiiiidnooooo ouuuuy saaaaaaaceeeeiiiidnooooo ouuuuy yaaaaaaccccccccddddeeeeeeeeeegggggggg"
            + "hhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs").utf8)

    /// nil if there is a letter that isn't Latin.
    static func form(of text: Span<UInt8>) throws -> SecretBytes? {
        var count = 0
        let isLatin = UTF8Text.allSatisfy(text) { scalar in
            count += 1
            return base(of: scalar) != nil
        }
        guard isLatin else { return nil }
        var next = 0
        return try SecretBytes(count: count) { bytes in
            _ = UTF8Text.allSatisfy(text) { scalar in
                bytes.storeBytes(of: base(of: scalar) ?? 0, toByteOffset: next, as: UInt8.self)
                next += 1
                return true
            }
        }
    }

    private static func base(of scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case ..<0x80: return UTF8Text.lowercased(UInt8(scalar.value))
        case 0xC0..<0xC0 + UInt32(bases.count):
            let base = bases[Int(scalar.value - 0xC0)]
            return base == UInt8(ascii: " ") ? nil : base
        default: return nil
        }
    }
}

/// Signs and digits commonly used in place of letters.
private struct Leet {
    private let one: UInt8

    static let all = [Leet(one: UInt8(ascii: "i")), Leet(one: UInt8(ascii: "l"))]

    var isFirst: Bool { one == UInt8(ascii: "i") }

    func differs(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "1") || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "!")
    }

    func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "@"), UInt8(ascii: "4"): UInt8(ascii: "a")
        case UInt8(ascii: "3"): UInt8(ascii: "e")
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "$"), UInt8(ascii: "5"): UInt8(ascii: "s")
        case UInt8(ascii: "7"), UInt8(ascii: "+"): UInt8(ascii: "t")
        case UInt8(ascii: "1"), UInt8(ascii: "|"): one
        // It hardly ever represents an "l"; at the end it is a sign.
        case UInt8(ascii: "!") where one == UInt8(ascii: "i"): one
        default: nil
        }
    }
}

/// Russian letters as others: by the key they share on a keyboard, or by their sound.
private struct Cyrillic {
    /// а to я, then ё.
    private let letters: [[UInt8]]

    static let all = [
        Cyrillic("f , d u l t ; p b q r k v y j g h c n e a [ w x i o ] s m ' . z `"),
        Cyrillic("a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya e"),
    ]

    private init(_ text: String) { letters = text.split(separator: " ").map { $0 == "-" ? [] : Array($0.utf8) } }

    /// nil if there is a letter that is neither Russian nor ASCII.
    func form(of text: Span<UInt8>) throws -> SecretBytes? {
        var count = 0
        guard each(text, { count += $0.count }) else { return nil }
        var next = 0
        return try SecretBytes(count: count) { bytes in
            _ = each(text) { letters in
                for letter in letters {
                    bytes.storeBytes(of: letter, toByteOffset: next, as: UInt8.self)
                    next += 1
                }
            }
        }
    }

    private func each(_ text: Span<UInt8>, _ body: ([UInt8]) -> Void) -> Bool {
        UTF8Text.allSatisfy(text) { scalar in
            switch scalar.value {
            case ..<0x80: body([UTF8Text.lowercased(UInt8(scalar.value))])
            case 0x410...0x42F: body(letters[Int(scalar.value - 0x410)])
            case 0x430...0x44F: body(letters[Int(scalar.value - 0x430)])
            case 0x401, 0x451: body(letters[32])
            default: return false
            }
            return true
        }
    }
}
