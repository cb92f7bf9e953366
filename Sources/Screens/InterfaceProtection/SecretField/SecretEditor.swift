// SPDX-License-Identifier: Apache-2.0

/// A text view that keeps a string of its own, as UITextField does, and has to show what a `SecretField` holds.
@MainActor
public protocol SecretTextView: AnyObject {
    /// The text as the user has edited it. It is set to undo an edit that was not allowed.
    var editedText: String { get set }
    /// Shows `text` unmasked; nil: shows it masked.
    func reveal(_ text: String?)
    /// Lets the user know that an edit was refused; the text is as it was before the edit.
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
    /// What the view should show, to be put back if it is edited while the field is lent: the view may learn of that only afterwards. It is the
    /// string that the view holds.
    private var shown = ""
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
            guard view.editedText != shown else { return }
            view.editedText = shown
            return view.refused(SecretFieldError(.isLent))
        }
        let text = view.editedText
        do {
            if !field.hasContent(text) { try field.replace(with: text) }
            shown = text
        } catch {
            follow()
            view.refused(error)
        }
    }

    /// Ends the binding. The view is emptied: what it showed belongs to the field.
    public func end() {
        observation?.cancel()
        masking?.cancel()
        view?.reveal(nil)
        view?.editedText = ""
        (view, shown) = (nil, "")
    }

    /// Makes the view show what the field says.
    private func follow() {
        guard let view else { return }
        if field.isLent {
            if !field.isExpectedBack { shown = "" }
            if view.editedText != shown { view.editedText = shown }
        } else {
            if !field.hasContent(view.editedText) { view.editedText = field.exposingText() ?? "" }
            shown = view.editedText
        }
        view.reveal(field.exposingRevealedText())
        maskInTime()
    }

    /// Masks a revealed field when its time is over, since nothing else reports that.
    private func maskInTime() {
        masking?.cancel()
        masking = field.revealDeadline.map { [weak self] deadline in
            Task {
                await ContinuousClock.wait(until: deadline)
                guard !Task.isCancelled else { return }
                self?.field.mask()
            }
        }
    }
}
