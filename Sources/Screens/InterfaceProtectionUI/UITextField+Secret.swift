// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
public import InterfaceProtection
public import UIKit

extension UITextField {
    /// Makes this the editor of a secret: masked, without autocorrection, spelling, predictions, capitals and smart marks; what is
    /// typed goes into `field`, what the field refuses is taken back here, and what clears `field` empties this too.
    ///
    /// It stays masked for UIKit also while the field is revealed: what is revealed is drawn over it. So copying and other developers' keyboards
    /// are refused all the time, and nothing is lost at the next key, as it is in a field that was unmasked and masked again.
    ///
    /// What UIKit itself keeps of the text is out of reach (`SecretField` says so). `rules` are handed to the generator of
    /// strong passwords. `onRefusal` is called with the reason when an edit is refused. A later call binds another field; nil binds none.
    public func edits(
        _ field: SecretField?, contentType: UITextContentType? = .password, rules: PasswordRulesText? = nil,
        onRefusal: (@MainActor (SecretFieldError) -> Void)? = nil
    ) {
        let overlay = subviews.lazy.compactMap { $0 as? SecretOverlay }.first
        guard let field else {
            overlay?.end()
            removeAction(identifiedBy: .editsSecret, for: .allEditingEvents)
            return
        }
        takeTraitsOfSecrets()
        textContentType = contentType
        passwordRules = rules.map { UITextInputPasswordRules(descriptor: $0.description) }
        if let overlay, overlay.edits(field) {
            overlay.onRefusal = onRefusal
            return
        }
        overlay?.end()
        let new = SecretOverlay(over: self, onRefusal: onRefusal)
        // The action of a field that was bound before has the same name, and is replaced.
        addAction(UIAction(identifier: .editsSecret) { [weak new] _ in new?.edited() }, for: .allEditingEvents)
        new.begin(field)
    }

    private func takeTraitsOfSecrets() {
        if !isSecureTextEntry { isSecureTextEntry = true }
        autocorrectionType = .no
        spellCheckingType = .no
        autocapitalizationType = .none
        smartQuotesType = .no
        smartDashesType = .no
        smartInsertDeleteType = .no
        textDragInteraction?.isEnabled = false
        if #available(iOS 17, macCatalyst 17, *) { inlinePredictionType = .no }
        if #available(iOS 18, macCatalyst 18, visionOS 2.4, *) { writingToolsBehavior = .none }
    }

    /// What is wrong with this field as a place for secrets; for assertions in debug builds.
    public var auditFinding: FieldAudit.Finding? {
        FieldAudit.finding(
            for: FieldAudit.Field(
                contentType: textContentType?.rawValue, name: accessibilityIdentifier, placeholder: placeholder,
                isSecure: isSecureTextEntry))
    }
}

extension UIAction.Identifier {
    static let editsSecret = UIAction.Identifier("zamok.edits-secret")
}

/// Draws what a field reveals over its dots, and holds what binds the two. It takes no touch.
final class SecretOverlay: UILabel, SecretTextView {
    var onRefusal: (@MainActor (SecretFieldError) -> Void)?
    private weak var textField: UITextField?
    private var editor: SecretEditor?

    init(over textField: UITextField, onRefusal: (@MainActor (SecretFieldError) -> Void)?) {
        self.textField = textField
        self.onRefusal = onRefusal
        super.init(frame: textField.bounds)
        autoresizingMask = [.flexibleWidth, .flexibleHeight]
        isUserInteractionEnabled = false
        isHidden = true
        // Above what UIKit adds to the field later.
        layer.zPosition = 1
        textField.addSubview(self)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func begin(_ field: SecretField) {
        editor = SecretEditor(field: field, view: self)
        noteScene()
    }

    func edits(_ field: SecretField) -> Bool { editor?.field === field }

    func edited() { editor?.edited() }

    func end() {
        editor?.end()
        editor = nil
        removeFromSuperview()
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        noteScene()
    }

    /// What one scene shows is masked with it, and not with another.
    private func noteScene() {
        editor?.field.scene = window?.windowScene.map { SceneID($0) }
    }

    var editedText: String {
        get { textField?.text ?? "" }
        set { textField?.text = newValue }
    }

    func reveal(_ text: String?) {
        self.text = text
        isHidden = text == nil
        isAccessibilityElement = text != nil
        guard text != nil, let textField else { return }
        // Where the dots are, not over the border; opaque, so that they aren't seen through it.
        frame = textField.editingRect(forBounds: textField.bounds)
        (font, textColor, textAlignment) = (textField.font, textField.textColor, textField.textAlignment)
        let colour = textField.backgroundColor
        backgroundColor = colour.map { $0.cgColor.alpha == 1 } == true ? colour : .systemBackground
    }

    func refused(_ error: SecretFieldError) { onRefusal?(error) }
}

extension UIView {
    /// Every text field in here that should be secure and isn't. For debug builds: `assert(view.auditFindings.isEmpty)`.
    public var auditFindings: [FieldAudit.Finding] {
        let own = (self as? UITextField)?.auditFinding
        return (own.map { [$0] } ?? []) + subviews.flatMap(\.auditFindings)
    }
}

/// A text field for secrets whose menu has nothing that takes the text elsewhere: no copying, which UIKit refuses to masked fields itself, and
/// no Look Up, Translate, Share, Writing Tools either, about which nothing is promised. Only what brings text in, selects or deletes is there.
public final class SecretTextField: UITextField {
    private static let allowed = Set(
        ["paste:", "pasteAndMatchStyle:", "select:", "selectAll:", "delete:"].map(NSSelectorFromString))

    /// Allows only what brings text in, selects or deletes. Called by UIKit.
    public override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        Self.allowed.contains(action) && super.canPerformAction(action, withSender: sender)
    }

    /// Takes whole menus out, whatever commands a version of the system has in them. Called by UIKit.
    public override func buildMenu(with builder: any UIMenuBuilder) {
        super.buildMenu(with: builder)
        for menu in [UIMenu.Identifier.lookup, .share, .learn, .speech] { builder.remove(menu: menu) }
    }
}
#endif
