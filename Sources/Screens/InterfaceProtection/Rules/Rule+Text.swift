// SPDX-License-Identifier: Apache-2.0

/// The characters that a text may contain.
public struct AllowedCharacters: Sendable, Equatable {
    /// Ranges of code points.
    let ranges: [ClosedRange<UInt32>]
    /// The name in Apple's password rules.
    let ruleName: String?

    private init(_ ranges: [ClosedRange<UInt32>], ruleName: String?) {
        self.ranges = ranges
        self.ruleName = ruleName
    }

    /// `a` to `z`.
    public static let lowercase = AllowedCharacters([0x61...0x7A], ruleName: "lower")
    /// `A` to `Z`.
    public static let uppercase = AllowedCharacters([0x41...0x5A], ruleName: "upper")
    /// `0` to `9`.
    public static let digits = AllowedCharacters([0x30...0x39], ruleName: "digit")
    /// Printable ASCII with the space.
    public static let asciiPrintable = AllowedCharacters([0x20...0x7E], ruleName: "ascii-printable")
    /// Everything but control characters, in any script.
    public static let unicode = AllowedCharacters([0x20...0x7E, 0xA0...0x10_FFFF], ruleName: "unicode")
    /// The same, plus line breaks and tabs.
    public static let lines = AllowedCharacters(
        [0x09...0x0A, 0x0D...0x0D, 0x20...0x7E, 0xA0...0x10_FFFF], ruleName: nil)

    /// Exactly these characters.
    public static func these(_ characters: String) -> AllowedCharacters {
        AllowedCharacters(characters.unicodeScalars.map { $0.value...$0.value }, ruleName: nil)
    }

    /// The characters of both.
    public static func + (left: AllowedCharacters, right: AllowedCharacters) -> AllowedCharacters {
        AllowedCharacters(left.ranges + right.ranges, ruleName: nil)
    }

    /// Whether `scalar` is allowed.
    public func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }
}

/// Checks shared by several rules.
enum Check {
    static func required(_ utf8: Span<UInt8>) throws(Reason) {
        guard !utf8.isEmpty else { throw Reason(.required) }
    }

    /// Checks the length in code points, not bytes.
    static func length(_ utf8: Span<UInt8>, in length: ClosedRange<Int>) throws(Reason) {
        let count = UTF8Text.codePoints(in: utf8) ?? 0
        if count < length.lowerBound { throw Reason(.tooShort, minimum: length.lowerBound) }
        if count > length.upperBound { throw Reason(.tooLong, maximum: length.upperBound) }
    }

    static func characters(_ utf8: Span<UInt8>, _ allowed: AllowedCharacters) throws(Reason) {
        guard UTF8Text.allSatisfy(utf8, allowed.contains) else { throw Reason(.character) }
    }
}

extension Rule where Value == String {
    /// Text of `length` code points from `allowed`, without invisible characters unless `hidden` permits them. With a
    /// lower bound of 0 it may be empty; otherwise an empty field is `.required`. Trims unless `trims` is false.
    ///
    /// Errors: `.required`, `.hidden`, `.tooShort`, `.tooLong`, `.character`.
    public static func text(
        length: ClosedRange<Int> = 1...1000, allowed: AllowedCharacters = .unicode, hidden: HiddenCharacters = .refused,
        trims: Bool = true
    ) -> Rule {
        Rule(trims: trims, longest: length.upperBound) { utf8 throws(Reason) in
            if length.lowerBound > 0 { try Check.required(utf8) }
            // Text that is far too long is not examined character by character.
            if hidden != .removed { try Check.length(utf8, in: length) }
            guard let text = UTF8Text.string(utf8) else { throw Reason(.notText) }
            let seen = try Check.seen(text, hidden, lineEnd: allowed.contains("\n") ? "\n" : " ")
            let scalars = seen.unicodeScalars
            if hidden == .removed {
                if length.lowerBound > 0, scalars.isEmpty { throw Reason(.required) }
                if scalars.count < length.lowerBound { throw Reason(.tooShort, minimum: length.lowerBound) }
                if scalars.count > length.upperBound { throw Reason(.tooLong, maximum: length.upperBound) }
            }
            guard scalars.allSatisfy(allowed.contains) else { throw Reason(.character) }
            return seen
        }
    }
}

extension Check {
    /// `text` after applying `hidden`. Errors: `.hidden`.
    static func seen(
        _ text: String, _ hidden: HiddenCharacters, lineEnd: Unicode.Scalar = " "
    ) throws(Reason) -> String {
        // No character before the soft hyphen is hidden.
        guard hidden != .kept, text.utf8.contains(where: { $0 >= 0xC2 }) else { return text }
        let view = HiddenText(Array(text.unicodeScalars))
        guard let first = view.first else { return text }
        guard hidden == .removed else {
            let digits = String(first.value, radix: 16, uppercase: true)
            throw Reason(.hidden, details: ["U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits])
        }
        return String(String.UnicodeScalarView(view.cleaned(lineEnd: lineEnd)))
    }
}

extension Rule where Value == Int {
    /// A whole number in `range`: an optional sign, and digits. Trims. Errors: `.required`, `.number`, `.range`.
    public static func integer(in range: ClosedRange<Int> = Int.min...Int.max) -> Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard let scalars = UTF8Text.scalars(of: utf8) else { throw Reason(.number) }
            let isNegative = scalars[0] == "-"
            let typed = scalars.dropFirst(isNegative || scalars[0] == "+" ? 1 : 0)
            let digits = typed.compactMap(UTF8Text.digit)
            guard !digits.isEmpty, digits.count == typed.count else { throw Reason(.number) }
            let tooBig = Reason(.range, minimum: String(range.lowerBound), maximum: String(range.upperBound))
            var value = 0
            for digit in digits.map(Int.init) {
                let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
                let (sum, overflow2) = tens.addingReportingOverflow(isNegative ? -digit : digit)
                guard !overflow, !overflow2 else { throw tooBig }
                value = sum
            }
            guard range.contains(value) else { throw tooBig }
            return value
        }
    }
}

extension Rule where Value == Double {
    /// A decimal number in `range`, with `separator` before its fraction, such as "12,5". Exponents and grouping are
    /// refused. For money, use `amount`. Trims. Errors: `.number`, `.range`, and those of `text`, such as `.required`.
    public static func number(in range: ClosedRange<Double>, separator: Character = ".") -> Rule {
        Rule<String>.text(length: 1...40).map { text throws(Reason) in
            let text = UTF8Text.withASCIIDigits(text)
            let signless = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
            let parts = signless.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(UTF8Text.isDigit) }),
                let value = Double(text.map { $0 == separator ? "." : String($0) }.joined())
            else { throw Reason(.number) }
            guard range.contains(value) else {
                func written(_ bound: Double) -> String {
                    "\(bound)".split(separator: ".").joined(separator: String(separator))
                }
                throw Reason(.range, minimum: written(range.lowerBound), maximum: written(range.upperBound))
            }
            return value
        }
    }
}
