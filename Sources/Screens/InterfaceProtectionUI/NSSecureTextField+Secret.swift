// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
public import AppKit
import Foundation
public import InterfaceProtection

extension NSSecureTextField {
    /// Makes this the editor of a secret. Typed text goes into `field`. An edit that `field` refuses is undone here,
    /// and clearing `field` empties this too. Revealed text is drawn over the dots, so that copying stays refused.
    ///
    /// AppKit's own copies of the text are out of reach (see `SecretField`). `onRefusal` receives the reason when an
    /// edit is refused. A later call binds another field; nil binds none.
    ///
    /// Type-checked, and never run on a Mac.
    public func edits(
        _ field: SecretField?, contentType: NSTextContentType? = .password,
        onRefusal: (@MainActor (SecretFieldError) -> Void)? = nil
    ) {
        for case let overlay as SecretLabel in subviews { overlay.end() }
        guard let field else { return }
        self.contentType = contentType
        SecretLabel(over: self, onRefusal: onRefusal).begin(field)
    }
}

/// Draws revealed text over a field's dots, and owns the binding of the two. It takes no click.
final class SecretLabel: NSTextField, SecretTextView {
    private let onRefusal: (@MainActor (SecretFieldError) -> Void)?
    private weak var textField: NSSecureTextField?
    private var editor: SecretEditor?

    init(over textField: NSSecureTextField, onRefusal: (@MainActor (SecretFieldError) -> Void)?) {
        self.textField = textField
        self.onRefusal = onRefusal
        super.init(frame: textField.bounds)
        autoresizingMask = [.width, .height]
        (isEditable, isSelectable, isBezeled, isHidden) = (false, false, false, true)
        (drawsBackground, backgroundColor) = (true, .textBackgroundColor)
        textField.addSubview(self)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func begin(_ field: SecretField) {
        editor = SecretEditor(field: field, view: self)
        NotificationCenter.default.addObserver(
            self, selector: #selector(edited), name: NSControl.textDidChangeNotification, object: textField)
    }

    @objc private func edited() { editor?.edited() }

    func end() {
        NotificationCenter.default.removeObserver(self)
        editor?.end()
        editor = nil
        removeFromSuperview()
    }

    /// During editing the field editor has the text. To set the field's own would end the editing.
    var editedText: String {
        get { textField?.currentEditor()?.string ?? textField?.stringValue ?? "" }
        set {
            if let editor = textField?.currentEditor() {
                editor.string = newValue
            } else {
                textField?.stringValue = newValue
            }
        }
    }

    func reveal(_ text: String?) {
        stringValue = text ?? ""
        isHidden = text == nil
        (font, textColor) = (textField?.font, textField?.textColor)
    }

    func refused(_ error: SecretFieldError) { onRefusal?(error) }

    override func hitTest(_ point: NSPoint) -> NSView? { nil }
}
#endif
