// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct UITextContentType: Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let password = UITextContentType(rawValue: "password")
    public static let newPassword = UITextContentType(rawValue: "newPassword")
    public static let oneTimeCode = UITextContentType(rawValue: "oneTimeCode")
}

public enum UITextAutocorrectionType: Sendable { case `default`, no, yes }
public enum UITextSpellCheckingType: Sendable { case `default`, no, yes }
public enum UITextAutocapitalizationType: Sendable { case none, words, sentences, allCharacters }
public enum UITextSmartQuotesType: Sendable { case `default`, no, yes }
public enum UITextSmartDashesType: Sendable { case `default`, no, yes }
public enum UITextSmartInsertDeleteType: Sendable { case `default`, no, yes }

@MainActor
public final class UITextInputPasswordRules {
    public let passwordRulesDescriptor: String
    public init(descriptor: String) { passwordRulesDescriptor = descriptor }
}

@MainActor
public final class UITextField: UIControl {
    public var text: String? = "" {
        didSet { clearsOnNextKey = false }
    }
    public var placeholder: String?
    public var isSecureTextEntry = false {
        didSet { if isSecureTextEntry, !oldValue, !(text ?? "").isEmpty { clearsOnNextKey = true } }
    }
    public var autocorrectionType: UITextAutocorrectionType = .default
    public var spellCheckingType: UITextSpellCheckingType = .default
    public var autocapitalizationType: UITextAutocapitalizationType = .sentences
    public var smartQuotesType: UITextSmartQuotesType = .default
    public var smartDashesType: UITextSmartDashesType = .default
    public var smartInsertDeleteType: UITextSmartInsertDeleteType = .default
    public var textContentType: UITextContentType?
    public var passwordRules: UITextInputPasswordRules?
    public private(set) var isFirstResponder = false
    /// The known habit: a field that is masked again is emptied by the next key.
    private var clearsOnNextKey = false

    public init() { super.init() }

    @discardableResult
    public func becomeFirstResponder() -> Bool {
        isFirstResponder = true
        return true
    }

    @discardableResult
    public func resignFirstResponder() -> Bool {
        isFirstResponder = false
        return true
    }

    /// What a user's key does.
    public func type(_ typed: String) {
        text = (clearsOnNextKey ? "" : text ?? "") + typed
        sendActions(for: .editingChanged)
    }

    public override var drawnText: String? {
        isSecureTextEntry ? text.map { String(repeating: "•", count: $0.count) } : text
    }
}
