// SPDX-License-Identifier: Apache-2.0

extension Rule where Value == String {
    /// A person's name, given or full. It has letters of any script with their marks, spaces, hyphens, apostrophes,
    /// dots and commas, and at least one letter. Digits and invisible characters are refused.
    ///
    /// Spaces of all kinds become single ones, and letters and marks are composed (NFC). Trims. Errors: `.required`,
    /// `.hidden`, `.tooLong`, `.personName`.
    public static func personName(maximumLength: Int = 100) -> Rule {
        Rule(trims: true, longest: max(1, maximumLength)) { utf8 throws(Reason) in
            try Check.required(utf8)
            try Check.length(utf8, in: 0...max(1, maximumLength))
            guard let typed = UTF8Text.string(utf8) else { throw Reason(.notText) }
            let name = IDNA.composed(try Check.seen(typed, .refused))
            guard let first = name.first, !IDNA.isMark(first), name.contains(where: isLetter), name.allSatisfy(isOfName)
            else {
                throw Reason(.personName)
            }
            let words = name.split { $0.properties.isWhitespace }
            return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? UTF8Text.isLetter(UInt8(scalar.value)) : scalar.properties.isAlphabetic
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "'", ".", ",", " ", "\u{2019}", "\u{2018}", "\u{02BC}", "\u{2010}"..."\u{2013}", "\u{B7}", "\u{30FB}",
            "\u{05F3}",
            "\u{05F4}", "\u{200C}", "\u{200D}":
            true
        case _ where scalar.isASCII: isLetter(scalar)
        default:
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
                .spacingMark, .spaceSeparator:
                true
            default: false
            }
        }
    }

    /// A login name: `length` letters and digits of one script, with single dots, hyphens or underscores between them.
    ///
    /// The value is in lower case and composed (NFC), so that the names of two users can't be mistaken for one another.
    /// For the same reason, names of Cyrillic or Greek letters that all look Latin are refused. Trims.
    ///
    /// Errors: `.required`, `.hidden`, `.tooShort`, `.tooLong`, `.userName`.
    public static func userName(length: ClosedRange<Int> = 3...32) -> Rule {
        Rule(trims: true, longest: length.upperBound) { utf8 throws(Reason) in
            try Check.required(utf8)
            try Check.length(utf8, in: length)
            guard let typed = UTF8Text.string(utf8) else { throw Reason(.notText) }
            let name = IDNA.composed(try Check.seen(typed, .refused).lowercased())
            let words = name.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "-" || $0 == "_" }
            let isRight = words.allSatisfy { word in
                guard let first = word.first, !IDNA.isMark(first) else { return false }
                return word.allSatisfy { scalar in
                    scalar.isASCII
                        ? UTF8Text.isDigit(UInt8(scalar.value)) || UTF8Text.isLetter(UInt8(scalar.value))
                        : IDNA.isLetterOfName(scalar)
                }
            }
            guard isRight, !Lookalikes.mixesScripts(name), !Lookalikes.looksLatin(name[...]) else {
                throw Reason(.userName)
            }
            return String(String.UnicodeScalarView(name))
        }
    }
}
