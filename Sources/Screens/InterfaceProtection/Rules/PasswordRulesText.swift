// SPDX-License-Identifier: Apache-2.0

/// Apple's text for password generators (`UITextInputPasswordRules(descriptor:)`, the `passwordrules` attribute of HTML), made
/// from the rule that will judge what is generated.
public struct PasswordRulesText: Sendable, Equatable, CustomStringConvertible {
    /// The least number of characters.
    public let minimum: Int
    /// The greatest number of characters.
    public let maximum: Int
    /// What may be in it.
    public let allowed: AllowedCharacters
    /// Classes of which one character must be in it, for servers that insist.
    public var required: [AllowedCharacters] = []
    /// At most so many equal characters in a row; nil: any number.
    public var maximumConsecutive: Int?

    init(minimum: Int, maximum: Int, allowed: AllowedCharacters) {
        self.minimum = minimum
        self.maximum = maximum
        self.allowed = allowed
    }

    /// The text: `minlength: 15; maxlength: 128; allowed: unicode;`.
    public var description: String {
        var parts = ["minlength: \(minimum)", "maxlength: \(maximum)"]
        parts += required.map { "required: " + $0.ruleList }
        parts.append("allowed: " + allowed.ruleList)
        if let maximumConsecutive { parts.append("max-consecutive: \(maximumConsecutive)") }
        return parts.joined(separator: "; ") + ";"
    }
}

extension AllowedCharacters {
    /// As the grammar has it: class names where a class is whole, the rest of ASCII in brackets, with `-` first and `]` last.
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
