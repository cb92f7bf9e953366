// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
public import InterfaceProtection
public import UIKit

extension UITextField {
    /// Makes this the editor of a secret: masked, without autocorrection, spelling, capitals and smart marks; what is typed goes
    /// into `field`, and what clears `field` empties this too.
    ///
    /// What UIKit itself keeps of the text is out of reach (`SecretField` says so). `rules` are handed to the generator of
    /// strong passwords.
    public func edits(
        _ field: SecretField, contentType: UITextContentType? = .password, rules: PasswordRulesText? = nil
    ) {
        isSecureTextEntry = true
        autocorrectionType = .no
        spellCheckingType = .no
        autocapitalizationType = .none
        smartQuotesType = .no
        smartDashesType = .no
        smartInsertDeleteType = .no
        textContentType = contentType
        passwordRules = rules.map { UITextInputPasswordRules(descriptor: $0.description) }
        addAction(
            UIAction { [weak self] _ in
                guard let self else { return }
                do { try field.replace(with: text ?? "") } catch { text = nil }
            }, for: .editingChanged)
        field.onChange { [weak self, weak field] in
            Task { @MainActor in
                guard let self, let field else { return }
                self.follow(field)
            }
        }
    }

    /// Shows what the field reveals, and shows nothing when nothing is there any more.
    private func follow(_ field: SecretField) {
        if field.isEmpty, !field.isLent { text = nil }
        let isMasked = !field.isRevealed
        guard isMasked != isSecureTextEntry else { return }
        let kept = text
        isSecureTextEntry = isMasked
        // After a change of masking the next key would empty the field; text that was set anew stays.
        text = nil
        text = kept
    }

    /// What is wrong with this field as a place for secrets; for assertions in debug builds.
    public var auditFinding: FieldAudit.Finding? {
        FieldAudit.finding(
            for: FieldAudit.Field(
                contentType: textContentType?.rawValue, name: accessibilityIdentifier, placeholder: placeholder,
                isSecure: isSecureTextEntry))
    }
}

extension UIView {
    /// Every text field in here that should be secure and isn't. For debug builds: `assert(view.auditFindings.isEmpty)`.
    public var auditFindings: [FieldAudit.Finding] {
        let own = (self as? UITextField)?.auditFinding
        return (own.map { [$0] } ?? []) + subviews.flatMap(\.auditFindings)
    }
}
#endif
