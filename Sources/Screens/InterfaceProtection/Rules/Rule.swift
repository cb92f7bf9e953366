// SPDX-License-Identifier: Apache-2.0

/// Makes a typed value of what was typed, or says why it can't: there is no "valid" string, only a value of a type that can't
/// hold a wrong one.
///
/// A rule reads UTF-8 bytes, so that the same one serves a text field and a `SecretField`. It is a value, has no state, and
/// takes time in proportion to the length of its input.
public struct Rule<Value: Sendable>: Sendable {
    private let body: @Sendable (Span<UInt8>) throws(Reason) -> Value
    /// What a password generator has to know of this rule, in Apple's grammar; nil if there is nothing to know.
    public internal(set) var passwordRules: PasswordRulesText?
    /// Whether it ignores spaces of all kinds, and marks without a width, at both ends. All rules here do but those for
    /// passwords and secrets, which take every byte as it is.
    public let trims: Bool
    /// How many code points it takes, if it says so: what is too long is refused by this.
    private let longest: Int?

    /// A rule that `parse` defines. It gets valid UTF-8 of at most `InputLimit.bytes`, without the spaces and marks that stand
    /// at its ends if it `trims`.
    public init(trims: Bool = false, _ parse: @escaping @Sendable (Span<UInt8>) throws(Reason) -> Value) {
        self.init(trims: trims, longest: nil, parse)
    }

    init(trims: Bool = false, longest: Int?, _ parse: @escaping @Sendable (Span<UInt8>) throws(Reason) -> Value) {
        body = parse
        self.trims = trims
        self.longest = longest
    }

    /// The value of `utf8`. Errors: `.notText`, `.tooLong` beyond `InputLimit.bytes`, and the rule's own.
    public func parse(utf8: Span<UInt8>) throws(Reason) -> Value {
        guard utf8.count <= InputLimit.bytes else {
            throw Reason(.tooLong, maximum: min(longest ?? InputLimit.bytes, InputLimit.bytes))
        }
        guard UTF8Text.codePoints(in: utf8) != nil else { throw Reason(.notText) }
        return try body(trims ? utf8.extracting(UTF8Text.core(of: utf8)) : utf8)
    }

    /// The value of `text`.
    public func parse(_ text: String) throws(Reason) -> Value { try parse(utf8: ContiguousArray(text.utf8).span) }

    /// The value of what is in `field`, which keeps its content.
    public func parse(_ field: SecretField) throws(Reason) -> Value {
        do {
            return try field.withBytes { try parse(utf8: Span(_bytes: $0)) }
        } catch let reason as Reason {
            throw reason
        } catch {
            throw Reason(.unavailable)
        }
    }

    /// Why `text` gives no value; nil if it does.
    public func problem(in text: String) -> Reason? {
        do {
            _ = try parse(text)
            return nil
        } catch {
            return error
        }
    }
}

/// Bounds on input.
public enum InputLimit {
    /// Bytes of UTF-8 of one field: 64 KiB.
    public static let bytes = 65_536
}

extension Rule {
    /// The same rule, with its value converted by `transform`.
    public func map<Other>(_ transform: @escaping @Sendable (Value) throws(Reason) -> Other) -> Rule<Other> {
        var rule = Rule<Other>(trims: trims, longest: longest) { utf8 throws(Reason) in try transform(try body(utf8)) }
        rule.passwordRules = passwordRules
        return rule
    }

    /// The rule that refuses, for `reason`, values for which `condition` is false.
    public func requiring(_ reason: Reason, _ condition: @escaping @Sendable (Value) -> Bool) -> Rule {
        map { value throws(Reason) in
            guard condition(value) else { throw reason }
            return value
        }
    }

    /// The same rule, ignoring spaces of all kinds at both ends: for an app's own rules.
    public var trimmed: Rule {
        var rule = Rule(trims: true, longest: longest, body)
        rule.passwordRules = passwordRules
        return rule
    }

    /// The same rule, for a field that may be empty, which gives nil; a field of spaces is empty if the rule trims.
    public var optional: Rule<Value?> {
        var rule = Rule<Value?>(trims: trims, longest: longest) { utf8 throws(Reason) in
            utf8.isEmpty ? nil : try body(utf8)
        }
        rule.passwordRules = passwordRules
        return rule
    }

    /// An app's own rule for text, which trims unless `trims` is false. Not for secrets, since it makes a string of them.
    public static func custom(
        trims: Bool = true, _ parse: @escaping @Sendable (String) throws(Reason) -> Value
    ) -> Rule {
        Rule(trims: trims) { utf8 throws(Reason) in
            guard let text = UTF8Text.string(utf8) else { throw Reason(.notText) }
            return try parse(text)
        }
    }
}
