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
    /// For how long the view keeps its text after it has left its window, if a submission cleared the field: the system
    /// reads passwords to save when views leave. nil: it keeps none.
    var keepsSubmittedText: Duration? { get }
}

extension SecretTextView {
    /// nil: the system saves nothing from this view.
    public var keepsSubmittedText: Duration? { nil }
}

/// Keeps a text view and a `SecretField` equal, so that what the user sees is what is submitted.
///
/// An edit that the field refuses is undone in the view. A view is not emptied while its content is lent. Clearing the
/// field empties the view before the clearing call returns, with one exception. After an accepted submission a view
/// that `keepsSubmittedText` stays filled, and masked, until it has left its window, but no longer than a minute. So
/// the system can save the password. A key that is typed meanwhile begins with an empty view.
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
    /// Whether the view keeps a text that the field no longer has.
    private var isKept = false
    private var hasLeft = false
    private var keeping: Task<Void, Never>?
    private static let longestKept = Duration.seconds(60)

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
        if isKept, view.editedText == shown { return }
        let text = withoutKept(view.editedText)
        do {
            if !field.hasContent(text) { try field.replace(with: text) }
            shown = text
        } catch {
            follow()
            view.refused(error)
        }
    }

    /// Ends the binding and empties the view: what it showed belongs to the field. `isLeaving`: the view is about to
    /// leave its window. Then it is emptied after that, if its content was submitted.
    public func end(isLeaving: Bool = false) {
        observation?.cancel()
        masking?.cancel()
        view?.reveal(nil)
        if isLeaving, let time = view?.keepsSubmittedText, isKept || field.isLent {
            isKept = true
            // Nothing else holds them until then.
            forget(after: time, holding: (self, view))
        } else {
            forget()
            view?.editedText = ""
            (view, shown) = (nil, "")
        }
    }

    /// The view has left its window, or is in one again.
    public func viewMoved(isInWindow: Bool) {
        hasLeft = !isInWindow
        guard isKept, let time = view?.keepsSubmittedText else { return }
        if isInWindow { forget() } else { forget(after: time) }
    }

    /// What the user has typed since the view keeps a text.
    private func withoutKept(_ text: String) -> String {
        guard isKept else { return text }
        let typed = text.hasPrefix(shown) ? String(text.dropFirst(shown.count)) : shown.hasPrefix(text) ? "" : text
        forget()
        view?.editedText = typed
        return typed
    }

    /// Empties the view of what it keeps.
    private func forget() {
        keeping?.cancel()
        keeping = nil
        guard isKept else { return }
        isKept = false
        if view?.editedText == shown { view?.editedText = "" }
        shown = ""
    }

    private func forget(
        after time: Duration, holding held: (SecretEditor, (any SecretTextView)?)? = nil
    ) {
        keeping?.cancel()
        let due = ContinuousClock.now + time
        keeping = Task { [weak self] in
            await ContinuousClock.wait(until: due)
            if !Task.isCancelled { self?.forget() }
            withExtendedLifetime(held) {}
        }
    }

    /// Makes the view show the field's state.
    private func follow() {
        guard let view else { return }
        if let time = view.keepsSubmittedText, field.isSubmitted, field.isEmpty, field.isLent || !shown.isEmpty {
            if !field.isLent, !isKept {
                isKept = true
                forget(after: hasLeft ? time : Self.longestKept)
            }
            return view.reveal(nil)
        }
        if isKept { forget() }
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
