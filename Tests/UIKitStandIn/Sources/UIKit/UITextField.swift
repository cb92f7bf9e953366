// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public struct UITextContentType: Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let username = UITextContentType(rawValue: "username")
    public static let password = UITextContentType(rawValue: "password")
    public static let creditCardNumber = UITextContentType(rawValue: "creditCardNumber")
    public static let newPassword = UITextContentType(rawValue: "newPassword")
    public static let oneTimeCode = UITextContentType(rawValue: "oneTimeCode")
}

public enum UITextAutocorrectionType: Sendable { case `default`, no, yes }
public enum UITextSpellCheckingType: Sendable { case `default`, no, yes }
public enum UITextAutocapitalizationType: Sendable { case none, words, sentences, allCharacters }
public enum UITextSmartQuotesType: Sendable { case `default`, no, yes }
public enum UITextSmartDashesType: Sendable { case `default`, no, yes }
public enum UITextSmartInsertDeleteType: Sendable { case `default`, no, yes }
public enum UITextInlinePredictionType: Sendable { case `default`, no, yes }
public enum UIWritingToolsBehavior: Sendable { case none, `default`, complete, limited }

@MainActor
public final class UITextInputPasswordRules {
    public let passwordRulesDescriptor: String
    public init(descriptor: String) { passwordRulesDescriptor = descriptor }
}

@MainActor
public final class UIDragInteraction {
    public var isEnabled = true
}

@MainActor
open class UITextField: UIControl {
    public var text: String? = "" {
        didSet { clearsOnNextKey = false }
    }
    public var placeholder: String?
    public var font: UIFont?
    public var textColor: UIColor?
    public var textAlignment: NSTextAlignment = .natural
    public var isEnabled = true
    /// Where the text is drawn: inside the border.
    public func editingRect(forBounds bounds: CGRect) -> CGRect { bounds }
    public var adjustsFontForContentSizeCategory = false
    /// A field that is masked again is emptied by the next key [14].
    public var isSecureTextEntry = false {
        didSet {
            if isSecureTextEntry, !oldValue, !(text ?? "").isEmpty { clearsOnNextKey = true }
            if !isSecureTextEntry { wasEverInClear = true }
        }
    }
    public var autocorrectionType: UITextAutocorrectionType = .default
    public var spellCheckingType: UITextSpellCheckingType = .default
    public var autocapitalizationType: UITextAutocapitalizationType = .sentences
    public var smartQuotesType: UITextSmartQuotesType = .default
    public var smartDashesType: UITextSmartDashesType = .default
    public var smartInsertDeleteType: UITextSmartInsertDeleteType = .default
    public var inlinePredictionType: UITextInlinePredictionType = .default
    public var writingToolsBehavior: UIWritingToolsBehavior = .default
    public var textContentType: UITextContentType?
    public var passwordRules: UITextInputPasswordRules?
    public let textDragInteraction: UIDragInteraction? = UIDragInteraction()
    /// Whether it was unmasked after it had been masked: then keyboards of others and copying were allowed for a time.
    public private(set) var wasEverInClear = false
    /// Whether this version of the system has that view.
    public static var hasCanvas = true
    private var isEditing = false
    private var clearsOnNextKey = false

    public override init(frame: CGRect = .zero) {
        super.init(frame: frame)
        // Where a secure field draws its text; a view of UIKit's own, whose name nobody promises [23].
        if Self.hasCanvas { addSubview(_UITextLayoutCanvasView(frame: frame)) }
    }
    public required init?(coder: NSCoder) { nil }

    public override var isFirstResponder: Bool { isEditing }
    public override var canBecomeFirstResponder: Bool { true }

    /// A masked field that is edited anew is emptied by the next key, too [15].
    @discardableResult
    public override func becomeFirstResponder() -> Bool {
        if !isEditing, isSecureTextEntry, !(text ?? "").isEmpty { clearsOnNextKey = true }
        isEditing = true
        window?.windowScene?.addTextEffectsWindow()
        sendActions(for: .editingDidBegin)
        return true
    }

    @discardableResult
    public override func resignFirstResponder() -> Bool {
        guard isEditing else { return true }
        isEditing = false
        sendActions(for: .editingDidEnd)
        return true
    }

    /// What a user's key does.
    public func type(_ typed: String) {
        text = (clearsOnNextKey ? "" : text ?? "") + typed
        changed()
    }

    /// What the user changes is told of; what a program sets is not.
    private func changed() {
        sendActions(for: .editingChanged)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
    }
    public nonisolated static let textDidChangeNotification = Notification.Name("UITextFieldTextDidChangeNotification")

    /// AutoFill, or the generator of strong passwords, fills the field.
    public func autoFill(_ password: String) {
        text = password
        changed()
    }

    public func deleteBackward() {
        text = clearsOnNextKey ? "" : String((text ?? "").dropLast())
        changed()
    }

    /// A masked field refuses copying [16]; of the other items of the menu nothing is documented, so that they are taken to be there.
    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        switch action.name {
        case "copy:", "cut:": !isSecureTextEntry && !(text ?? "").isEmpty
        default: true
        }
    }

    /// Other developers' keyboards are not shown for a masked field [17].
    public var admitsOtherKeyboards: Bool { !isSecureTextEntry }

    public override var drawnText: String? {
        isSecureTextEntry ? text.map { String(repeating: "•", count: $0.count) } : text
    }
}

final class _UITextLayoutCanvasView: UIView {}

/// AutoFill offers to save what is in the fields for passwords when they leave the window [39]. When exactly it reads them is not known: the
/// worse case, a turn of the main queue later, is taken.
@MainActor
public enum PasswordSaving {
    /// What was offered for saving, in the order in which it was.
    public private(set) static var offered: [String] = []
    private static var leaving: [UITextField] = []

    static func left(_ view: UIView) {
        guard let field = view as? UITextField,
            field.textContentType == .password || field.textContentType == .newPassword
        else { return }
        leaving.append(field)
    }

    /// The turn of the main queue in which they are read.
    public static func read() {
        offered += leaving.compactMap { $0.text.flatMap { $0.isEmpty ? nil : $0 } }
        leaving = []
    }

    public static func reset() { (offered, leaving) = ([], []) }
}

@MainActor
public final class UIPasteboard {
    public struct OptionsKey: Hashable, Sendable {
        let name: String
        public static let localOnly = OptionsKey(name: "localOnly")
        public static let expirationDate = OptionsKey(name: "expirationDate")
    }
    public static let general = UIPasteboard()
    public private(set) var items: [[String: Any]] = []
    public private(set) var options: [OptionsKey: Any] = [:]
    public func setItems(_ items: [[String: Any]], options: [OptionsKey: Any] = [:]) {
        (self.items, self.options) = (items, options)
    }
}
