// SPDX-License-Identifier: Apache-2.0

/// Makes a typed value from the text, or says why it can't. There is no "valid" string, only a value of a type that
/// can't hold a wrong one.
///
/// A rule reads UTF-8 bytes, so the same rule serves a text field and a `SecretField`. It is a value, has no state, and
/// takes time proportional to the length of its input.
public struct Rule<Value: Sendable>: Sendable {
    private let body: @Sendable (Span<UInt8>) throws(Reason) -> Value
    /// This rule for password generators, in Apple's grammar; nil if there is nothing to tell them.
    public internal(set) var passwordRules: PasswordRulesText?
    /// Whether it ignores spaces of all kinds and zero-width marks at both ends. All rules here do by default, except
    /// those for passwords and secret text, which use every byte unchanged.
    public let trims: Bool
    /// The maximum number of code points, if the rule has one. The error for longer text names it.
    private let longest: Int?

    /// A rule that `parse` defines. It receives valid UTF-8 of at most `InputLimit.bytes`. If the rule `trims`, the
    /// spaces and marks at both ends are removed.
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

    /// The value of the content of `field`, which keeps it.
    public func parse(_ field: SecretField) throws(Reason) -> Value {
        do {
            return try field.withBytes { try parse(utf8: Span(_bytes: $0)) }
        } catch let reason as Reason {
            throw reason
        } catch {
            throw Reason(.unavailable)
        }
    }

    /// Why `text` gives no value; nil if it gives one.
    public func problem(in text: String) -> Reason? {
        do {
            _ = try parse(text)
            return nil
        } catch {
            return error
        }
    }
}

/// Limits on input.
public enum InputLimit {
    /// The maximum UTF-8 bytes of one field: 64 KiB.
    public static let bytes = 65_536
}

extension Rule {
    /// The same rule, with its value converted by `transform`.
    public func map<Other>(_ transform: @escaping @Sendable (Value) throws(Reason) -> Other) -> Rule<Other> {
        var rule = Rule<Other>(trims: trims, longest: longest) { utf8 throws(Reason) in try transform(try body(utf8)) }
        rule.passwordRules = passwordRules
        return rule
    }

    /// The same rule, but values for which `condition` is false are refused with `reason`.
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

    /// The same rule for a field that may be empty, which gives nil. A field of spaces is empty if the rule trims.
    public var optional: Rule<Value?> {
        var rule = Rule<Value?>(trims: trims, longest: longest) { utf8 throws(Reason) in
            utf8.isEmpty ? nil : try body(utf8)
        }
        rule.passwordRules = passwordRules
        return rule
    }

    /// An app's own rule for text, which trims unless `trims` is false. Not for secrets, since it makes a string
    /// of them.
    public static func custom(
        trims: Bool = true, _ parse: @escaping @Sendable (String) throws(Reason) -> Value
    ) -> Rule {
        Rule(trims: trims) { utf8 throws(Reason) in
            guard let text = UTF8Text.string(utf8) else { throw Reason(.notText) }
            return try parse(text)
        }
    }
}
