// SPDX-License-Identifier: Apache-2.0

// Compiled against a stand-in and type-checked against Apple's documented declarations; never run on a device. All
// decisions are in InterfaceProtection, and all work with windows is in the other files of this folder.

#if canImport(SwiftUI) && canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import InterfaceProtection
public import SwiftUI
public import UIKit

extension View {
    /// Clears `content`, by its policy, when the screen of this view is left, covered by the next one, or hidden by
    /// another tab. `events` selects among these. A row that is scrolled off its list is masked, and keeps its content.
    public func clears(
        _ content: any ConfidentialContent, on events: [ClearingEvent] = [.left, .covered, .hidden, .shown]
    ) -> some View {
        background(LeavingReporter(content: content, events: events).frame(width: 0, height: 0))
    }

    /// Blanks this view while its scene is recorded, mirrored or shared, like `UIView.isSensitive`.
    /// It is `privacySensitive()`, too, so that the system redacts it where it does that.
    public func sensitive() -> some View { privacySensitive().overlay(Redaction().allowsHitTesting(false)) }
}

/// A password field whose content is a `SecretField`, which a view must keep in `@State`. Other storage is recreated,
/// empty, whenever the surrounding body is evaluated.
public struct SecretInput: UIViewRepresentable {
    private let title: String
    private let field: SecretField
    private let contentType: UITextContentType
    private let rules: PasswordRulesText?
    private let isEmpty: Binding<Bool>?
    private let isFocused: Binding<Bool>?
    private let copying: ClipboardPolicy
    private let onRefusal: (@MainActor (SecretFieldError) -> Void)?
    private let onSubmit: @MainActor () -> Void

    /// A field with `title` as its placeholder. The return key calls `onSubmit`; a refused edit calls `onRefusal`.
    ///
    /// `isEmpty` follows the field, also while it is lent to a submission: for a button that is disabled then. Setting
    /// `isFocused` begins or ends editing, and it follows the user. It is for this field what a `FocusState` is for
    /// SwiftUI's own. `copying` says whether the user can copy it while it is revealed.
    public init(
        _ title: String, field: SecretField, contentType: UITextContentType = .password,
        rules: PasswordRulesText? = nil, isEmpty: Binding<Bool>? = nil, isFocused: Binding<Bool>? = nil,
        copying: ClipboardPolicy = .off,
        onSubmit: @escaping @MainActor () -> Void = {},
        onRefusal: (@MainActor (SecretFieldError) -> Void)? = nil
    ) {
        self.title = title
        self.field = field
        self.contentType = contentType
        self.rules = rules
        self.isEmpty = isEmpty
        self.isFocused = isFocused
        self.copying = copying
        self.onRefusal = onRefusal
        self.onSubmit = onSubmit
    }

    /// Makes what tells the view of the field. Called by SwiftUI.
    public func makeCoordinator() -> SecretInputCoordinator { SecretInputCoordinator() }

    /// Makes the text field. Called by SwiftUI.
    public func makeUIView(context: Context) -> SecretTextField {
        let view = SecretTextField()
        take(over: view, context.coordinator)
        return view
    }

    /// Applies every change: field, texts, closures. Called by SwiftUI.
    public func updateUIView(_ view: SecretTextField, context: Context) { take(over: view, context.coordinator) }

    /// Ends the binding. Called by SwiftUI.
    public static func dismantleUIView(_ view: SecretTextField, coordinator: SecretInputCoordinator) {
        coordinator.end()
        view.edits(nil)
    }

    private func take(over view: SecretTextField, _ coordinator: SecretInputCoordinator) {
        view.placeholder = title
        view.font = .preferredFont(forTextStyle: .body)
        view.adjustsFontForContentSizeCategory = true
        view.copying = copying
        view.edits(field, contentType: contentType, rules: rules, onRefusal: onRefusal)
        // Replaces the action of the same name, and so the closure of the last update.
        view.addAction(UIAction(identifier: .submitsSecret) { _ in onSubmit() }, for: .editingDidEndOnExit)
        coordinator.follow(field, isEmpty)
        if let isFocused { follow(isFocused, in: view) }
    }

    private func follow(_ isFocused: Binding<Bool>, in view: SecretTextField) {
        for (event, isEditing) in [(UIControl.Event.editingDidBegin, true), (.editingDidEnd, false)] {
            let action = UIAction(identifier: isEditing ? .beginsEditing : .endsEditing) { _ in
                if isFocused.wrappedValue != isEditing { isFocused.wrappedValue = isEditing }
            }
            view.addAction(action, for: event)
        }
        // Later: to become the first responder changes the state, which an update must not do.
        Task { [weak view] in
            guard let view, view.isFirstResponder != isFocused.wrappedValue else { return }
            if isFocused.wrappedValue { view.becomeFirstResponder() } else { view.resignFirstResponder() }
        }
    }
}

extension UIAction.Identifier {
    static let submitsSecret = UIAction.Identifier("zamok.submits-secret")
    static let beginsEditing = UIAction.Identifier("zamok.begins-editing")
    static let endsEditing = UIAction.Identifier("zamok.ends-editing")
}

struct LeavingReporter: UIViewControllerRepresentable {
    let content: any ConfidentialContent
    let events: [ClearingEvent]

    func makeUIViewController(context: Context) -> LeavingAnchor { LeavingAnchor(content: content, events: events) }

    func updateUIViewController(_ controller: LeavingAnchor, context: Context) {
        controller.take(content: content, events: events)
    }
}

struct Redaction: UIViewRepresentable {
    func makeUIView(context: Context) -> RedactionView { RedactionView() }
    func updateUIView(_ view: RedactionView, context: Context) {}
}
#endif
