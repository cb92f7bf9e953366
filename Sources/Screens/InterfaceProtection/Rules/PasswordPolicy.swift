// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// The requirements for a new password, by NIST SP 800-63B-4: long enough, not guessable, and nothing else. There are
/// no composition rules and no expiry, since both make passwords worse.
public struct PasswordPolicy: Sendable, Equatable {
    /// The fewest code points.
    public let minimumLength: Int
    /// The most code points; never below 64.
    public let maximumLength: Int
    /// Words that an attacker would try: the service's name, the user's name and address. Compared without regard to
    /// case. Words of fewer than four characters are ignored.
    public var contextWords: [String]

    /// A policy. A `minimumLength` under 8 counts as 8, a `maximumLength` under 64 as 64.
    public init(minimumLength: Int = 15, maximumLength: Int = 128, contextWords: [String] = []) {
        self.minimumLength = max(8, minimumLength)
        self.maximumLength = max(64, maximumLength, minimumLength)
        self.contextWords = contextWords
    }

    /// For accounts that the password alone opens: at least 15.
    public static let singleFactor = PasswordPolicy()
    /// For accounts with a second factor: at least 8.
    public static let withSecondFactor = PasswordPolicy(minimumLength: 8)
}

extension Rule where Value == Secret {
    /// A new password, exactly as typed: spaces and every script count, and nothing is cut off.
    ///
    /// Errors: `.required`, `.tooShort`, `.tooLong`, `.commonPassword`, `.contextWord`.
    public static func newPassword(_ policy: PasswordPolicy = .singleFactor) -> Rule {
        let words = policy.contextWords.map { $0.unicodeScalars.map(SmallLetter.of) }.filter { $0.count >= 4 }
        var rule = Rule(longest: policy.maximumLength) { utf8 throws(Reason) in
            try Check.required(utf8)
            try Check.length(utf8, in: policy.minimumLength...policy.maximumLength)
            guard !CommonPasswords.isExpected(utf8) else { throw Reason(.commonPassword) }
            guard !SmallLetter.contains(words, in: utf8) else { throw Reason(.contextWord) }
            return try copy(utf8)
        }
        rule.passwordRules = PasswordRulesText(
            minimum: policy.minimumLength, maximum: policy.maximumLength, allowed: .unicode)
        return rule
    }

    /// An existing password: it must not be empty, and a login may require no more. Errors: `.required`.
    public static var password: Rule {
        Rule { utf8 throws(Reason) in
            try Check.required(utf8)
            return try copy(utf8)
        }
    }

    /// A secret text of `length` code points from `allowed`: a card's security code, an app's PIN.
    ///
    /// Errors: `.required`, `.tooShort`, `.tooLong`, `.character`.
    public static func secret(length: ClosedRange<Int>, allowed: AllowedCharacters = .unicode) -> Rule {
        var rule = Rule(longest: length.upperBound) { utf8 throws(Reason) in
            if length.lowerBound > 0 { try Check.required(utf8) }
            try Check.length(utf8, in: length)
            try Check.characters(utf8, allowed)
            return try copy(utf8)
        }
        rule.passwordRules = PasswordRulesText(
            minimum: length.lowerBound, maximum: length.upperBound, allowed: allowed)
        return rule
    }

    /// The same bytes as `other`: a password typed twice. Errors: `.different`.
    public static func same(as other: SecretField) -> Rule {
        Rule { utf8 throws(Reason) in
            let typed = try copyBytes(utf8)
            let isSame: Bool
            do { isSame = try typed.isEqual(to: other.copy()) } catch { throw Reason(.unavailable) }
            guard isSame else { throw Reason(.different) }
            return Secret(typed)
        }
    }

    private static func copy(_ utf8: Span<UInt8>) throws(Reason) -> Secret { Secret(try copyBytes(utf8)) }

    private static func copyBytes(_ utf8: Span<UInt8>) throws(Reason) -> SecretBytes {
        do { return try SecretBytes(count: utf8.count) { $0.write(utf8, at: 0) } } catch { throw Reason(.unavailable) }
    }
}

/// Compares letters of any script without regard to case, one by one, so that no string is made of a password.
private enum SmallLetter {
    /// Whether `text` contains one of `words`, which are in lower case. `text` has at most 64 KiB, and words are short.
    static func contains(_ words: [[UInt32]], in text: Span<UInt8>) -> Bool {
        var index = 0
        while index < text.count, let (scalar, width) = UTF8Text.scalar(at: index, in: text) {
            let first = of(scalar)
            for word in words where word[0] == first {
                if isThere(word, in: text, at: index + width) { return true }
            }
            index += width
        }
        return false
    }

    private static func isThere(_ word: [UInt32], in text: Span<UInt8>, at start: Int) -> Bool {
        var index = start
        for letter in word.dropFirst() {
            guard index < text.count, let (scalar, width) = UTF8Text.scalar(at: index, in: text), of(scalar) == letter
            else { return false }
            index += width
        }
        return true
    }

    static func of(_ scalar: Unicode.Scalar) -> UInt32 {
        switch scalar.value {
        case 0x41...0x5A: scalar.value | 0x20
        case ..<0xC0, 0x430...0x45F: scalar.value
        case 0x410...0x42F: scalar.value + 0x20
        default: scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar.value
        }
    }
}

/// Apple's text for password generators (`UITextInputPasswordRules(descriptor:)`, the `passwordrules` attribute of
/// HTML). It is made from the rule that will check the generated password.
public struct PasswordRulesText: Sendable, Equatable, CustomStringConvertible {
    /// The minimum number of characters.
    public let minimum: Int
    /// The maximum number of characters.
    public let maximum: Int
    /// The allowed characters.
    public let allowed: AllowedCharacters
    /// Classes that must each occur at least once, for servers that require it.
    public var required: [AllowedCharacters] = []
    /// The maximum number of equal characters in a row; nil: any number.
    public var maximumConsecutive: Int?

    init(minimum: Int, maximum: Int, allowed: AllowedCharacters) {
        self.minimum = minimum
        self.maximum = maximum
        self.allowed = allowed
    }

    /// Apple's text: `minlength: 15; maxlength: 128; allowed: unicode;`.
    public var description: String {
        var parts = ["minlength: \(minimum)", "maxlength: \(maximum)"]
        parts += required.map { "required: " + $0.ruleList }
        parts.append("allowed: " + allowed.ruleList)
        if let maximumConsecutive { parts.append("max-consecutive: \(maximumConsecutive)") }
        return parts.joined(separator: "; ") + ";"
    }
}

extension AllowedCharacters {
    /// The list in Apple's grammar: class names for whole classes, the rest of ASCII in brackets, with `-` first and
    /// `]` last.
    var ruleList: String {
        if let ruleName { return ruleName }
        if ranges.contains(where: { $0.upperBound > 0x7E }) { return "unicode" }
        var rest = Set(ranges.flatMap { $0 }.filter { (0x21...0x7E).contains($0) })
        var names: [String] = []
        for whole in [AllowedCharacters.uppercase, .lowercase, .digits] {
            let members = Set(whole.ranges.flatMap { $0 })
            guard members.isSubset(of: rest), let name = whole.ruleName else { continue }
            rest.subtract(members)
            names.append(name)
        }
        let hyphen: UInt32 = 0x2D
        let bracket: UInt32 = 0x5D
        let middle = rest.subtracting([hyphen, bracket]).sorted().compactMap(Unicode.Scalar.init).map { String($0) }
            .joined()
        let custom = (rest.contains(hyphen) ? "-" : "") + middle + (rest.contains(bracket) ? "]" : "")
        return (names + (custom.isEmpty ? [] : ["[\(custom)]"])).joined(separator: ", ")
    }
}
