// SPDX-License-Identifier: Apache-2.0

/// A text view with a string of its own, such as `UITextField`, that shows the content of a `SecretField`.
@MainActor
public protocol SecretTextView: AnyObject {
    /// The text as the user edited it. It is set to undo a refused edit.
    var editedText: String { get set }
    /// Shows `text` unmasked; nil: shows it masked.
    func reveal(_ text: String?)
    /// Tells the user that an edit was refused. The text is the same as before the edit.
    func refused(_ error: SecretFieldError)
}

/// Keeps a text view and a `SecretField` equal, so that what the user sees is what is submitted.
///
/// An edit that the field refuses is undone in the view. A view is not emptied while its content is lent. Clearing the
/// field empties the view before the clearing call returns.
@MainActor
public final class SecretEditor {
    /// The field that is edited.
    public let field: SecretField
    private weak var view: (any SecretTextView)?
    private var observation: SecretField.Observation?
    /// What the view should show, to restore it after an edit while the field is lent: the view may learn of that only
    /// afterwards. It is the string that the view holds.
    private var shown = ""
    private var masking: Task<Void, Never>?

    /// Binds `view` to `field` until `end`. The view shows the content of the field at once.
    public init(field: SecretField, view: any SecretTextView) {
        self.field = field
        self.view = view
        observation = field.onChange { [weak self] in
            MainActor.runNow { self?.follow() }
        }
        follow()
    }

    /// Handles an edit of the view's text by the user.
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

    /// Ends the binding and empties the view: what it showed belongs to the field.
    public func end() {
        observation?.cancel()
        masking?.cancel()
        view?.reveal(nil)
        view?.editedText = ""
        (view, shown) = (nil, "")
    }

    /// Makes the view show the field's state.
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

    /// Masks a revealed field when its time is over, since no other event reports that.
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
