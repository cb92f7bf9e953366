// SPDX-License-Identifier: Apache-2.0

/// A text view that keeps a string of its own, as UITextField does, and is to show what a `SecretField` holds.
@MainActor
public protocol SecretTextView: AnyObject {
    /// What the user's keys have made of the text. It is set to put back what an edit must not change.
    var editedText: String { get set }
    /// Shows `text` in clear; nil: shows it masked.
    func reveal(_ text: String?)
    /// Tells the user that an edit was not taken; the text is as it was before it.
    func refused(_ error: SecretFieldError)
}

/// Keeps a text view and a `SecretField` the same, so that what the user sees is what is submitted: an edit that the field refuses is
/// taken back in the view, a view is not emptied while its content is lent, and a field that is cleared empties the view
/// before the call that cleared it returns.
@MainActor
public final class SecretEditor {
    /// The field that is edited.
    public let field: SecretField
    private weak var view: (any SecretTextView)?
    private var observation: SecretField.Observation?
    /// What the view showed when the field was lent, to be put back if it is edited meanwhile. The view holds the same string.
    private var lentText: String?
    private var masking: Task<Void, Never>?

    /// Binds `view` to `field` until `end`; the view shows at once what the field holds.
    public init(field: SecretField, view: any SecretTextView) {
        self.field = field
        self.view = view
        observation = field.onChange { [weak self] in
            MainActor.runNow { self?.follow() }
        }
        follow()
    }

    /// The view's text was changed by the user.
    public func edited() {
        guard let view else { return }
        if field.isLent {
            guard let lentText, view.editedText != lentText else { return }
            view.editedText = lentText
            return view.refused(SecretFieldError(.isLent))
        }
        guard !field.hasContent(view.editedText) else { return }
        do {
            try field.replace(with: view.editedText)
        } catch {
            follow()
            view.refused(error)
        }
    }

    /// Binds them no longer. The view is emptied: what it showed belongs to the field.
    public func end() {
        observation?.cancel()
        masking?.cancel()
        view?.reveal(nil)
        view?.editedText = ""
        (view, lentText) = (nil, nil)
    }

    /// Brings the view to what the field says.
    private func follow() {
        guard let view else { return }
        if field.isLent {
            if !field.isExpectedBack {
                (view.editedText, lentText) = ("", "")
            } else if lentText == nil {
                lentText = view.editedText
            }
        } else {
            lentText = nil
            if !field.hasContent(view.editedText) { view.editedText = field.exposingText() ?? "" }
        }
        view.reveal(field.exposingRevealedText())
        maskInTime()
    }

    /// Nobody tells that the time of a revealed field is over.
    private func maskInTime() {
        masking?.cancel()
        masking = field.revealDeadline.map { [weak self] deadline in
            Task {
                try? await Task.sleep(until: deadline, clock: .continuous)
                guard !Task.isCancelled else { return }
                self?.field.mask()
            }
        }
    }
}
