// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
public import InterfaceProtection
public import UIKit

extension UITextField {
    /// Makes this the editor of a secret: masked, without autocorrection, spelling, predictions, capitals and smart
    /// punctuation. Typed text goes into `field`. An edit that `field` refuses is undone here, and clearing `field`
    /// empties this too.
    ///
    /// For UIKit it stays masked even while the field is revealed: the revealed text is drawn over it. So copying and
    /// third-party keyboards are always refused. Nothing is lost at the next key press, as in a field that was unmasked
    /// and masked again.
    ///
    /// After an accepted submission a field for a password keeps its masked text until it has left the window, so that
    /// the system can offer to save it (Password AutoFill). So a generated password isn't lost.
    ///
    /// UIKit's own copies of the text are out of reach (see `SecretField`). `rules` go to the generator of strong
    /// passwords. `onRefusal` receives the reason when an edit is refused. A later call binds another field; nil
    /// binds none.
    public func edits(
        _ field: SecretField?, contentType: UITextContentType? = .password, rules: PasswordRulesText? = nil,
        onRefusal: (@MainActor (SecretFieldError) -> Void)? = nil
    ) {
        let overlay = subviews.lazy.compactMap { $0 as? SecretOverlay }.first
        guard let field else {
            overlay?.end(isLeaving: true)
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
        // Replaces the action of a previously bound field, which has the same name.
        addAction(UIAction(identifier: .editsSecret) { [weak new] _ in new?.edited() }, for: .allEditingEvents)
        new.begin(field)
    }

    private func takeTraitsOfSecrets() {
        if !isSecureTextEntry { isSecureTextEntry = true }
        takeTraitsOfUncached()
    }

    /// Why this field is unfit for its secret, if so; for assertions in debug builds.
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

/// Draws revealed text over a field's dots, and owns the binding of the two. It takes no touch.
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
        numberOfLines = 0
        lineBreakMode = .byCharWrapping
        adjustsFontForContentSizeCategory = true
        // Above the views that UIKit adds to the field later.
        layer.zPosition = 1
        textField.addSubview(self)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func begin(_ field: SecretField) {
        editor = SecretEditor(field: field, view: self)
        noteScene()
    }

    var field: SecretField? { editor?.field }

    func edits(_ field: SecretField) -> Bool { self.field === field }

    func edited() { editor?.edited() }

    func end(isLeaving: Bool = false) {
        editor?.end(isLeaving: isLeaving)
        editor = nil
        removeFromSuperview()
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        noteScene()
        editor?.viewMoved(isInWindow: window != nil)
    }

    /// A field is masked with its own scene, and not with another.
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
        // At the position of the dots, not over the border; opaque, so that they don't show through.
        (font, textColor, textAlignment) = (textField.font, textField.textColor, textField.textAlignment)
        frame = textField.editingRect(forBounds: textField.bounds)
        // A secret that is longer than the field is shown whole, over what is below the field.
        let whole = sizeThatFits(CGSize(width: frame.size.width, height: .greatestFiniteMagnitude))
        frame.size.height = max(frame.size.height, whole.height)
        let colour = textField.backgroundColor
        backgroundColor = colour.map { $0.cgColor.alpha == 1 } == true ? colour : .systemBackground
    }

    func refused(_ error: SecretFieldError) { onRefusal?(error) }

    /// When the system reads the fields that leave is not documented: long enough for it, and short for the user.
    static var savingTime = Duration.seconds(1)

    var keepsSubmittedText: Duration? {
        let saved = [UITextContentType.password, .newPassword]
        return textField?.textContentType.map(saved.contains) == true ? Self.savingTime : nil
    }
}

extension UIView {
    /// The findings of all text fields in this view that should be secure but aren't. For debug
    /// builds: `assert(view.auditFindings.isEmpty)`.
    public var auditFindings: [FieldAudit.Finding] {
        let own = (self as? UITextField)?.auditFinding
        return (own.map { [$0] } ?? []) + subviews.flatMap(\.auditFindings)
    }
}

/// A text field for secrets whose menu can't take the text elsewhere. UIKit itself refuses copying from masked fields,
/// but guarantees nothing about Look Up, Translate, Share and Writing Tools. The menu only brings text in, selects
/// or deletes.
public final class SecretTextField: UITextField {
    /// Whether the menu has Copy while the secret is revealed; off by default. It copies the whole secret, regardless
    /// of the selection, to this device's pasteboard alone, and for the policy's time.
    public var copying = ClipboardPolicy.off

    private static let allowed = Set(
        ["paste:", "pasteAndMatchStyle:", "select:", "selectAll:", "delete:"].map(NSSelectorFromString))

    /// Allows only actions that bring text in, select or delete, and those of `copying`. Called by UIKit.
    public override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        if action == Self.copyAction { return copying.isAllowed && secret?.isRevealed == true }
        return Self.allowed.contains(action) && super.canPerformAction(action, withSender: sender)
    }

    /// Copies a revealed secret, if `copying` allows it. Called by UIKit.
    public override func copy(_ sender: Any?) {
        guard let secret, secret.isRevealed else { return }
        UIPasteboard.general.copy(secret, under: copying)
    }

    private static let copyAction = NSSelectorFromString("copy:")

    private var secret: SecretField? { subviews.lazy.compactMap { $0 as? SecretOverlay }.first?.field }

    /// Removes whole menus, regardless of the commands that a version of the system puts there. Called by UIKit.
    public override func buildMenu(with builder: any UIMenuBuilder) {
        super.buildMenu(with: builder)
        for menu in [UIMenu.Identifier.lookup, .share, .learn, .speech] { builder.remove(menu: menu) }
    }
}
#endif
