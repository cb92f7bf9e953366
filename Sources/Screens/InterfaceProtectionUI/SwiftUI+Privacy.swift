// SPDX-License-Identifier: Apache-2.0

// Compiled here against a stand-in that has only what is used below. All decisions are in InterfaceProtection, and all
// work with windows is in the other files of this folder.

#if canImport(SwiftUI) && canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import InterfaceProtection
public import SwiftUI
public import UIKit

extension View {
    /// Puts the whole app under a privacy screen, including sheets and alerts.
    ///
    /// Covers are windows, not views: a view would be under every sheet, and the phase of the whole app would mix its
    /// scenes. `unlock` is that of `PrivacyScreen.install`. The last policy and `unlock` apply.
    public func privacyProtected(
        _ policy: PrivacyScreen.Policy = .standard, unlock: @escaping @MainActor () async -> Bool
    ) -> some View {
        PrivacyScreen.install(policy: policy, unlock: unlock)
        return privacySensitive()
    }

    /// Clears `content`, by its policy, when this view is left, covered by the next one, or hidden by another tab.
    /// `events` selects among these.
    public func clears(
        _ content: any ConfidentialContent, on events: [ClearingEvent] = [.left, .covered, .hidden, .shown]
    ) -> some View {
        background(LeavingReporter(content: content, events: events).frame(width: 0, height: 0))
    }

    /// Blanks this view while its scene is recorded, mirrored or shared, like `UIView.isSensitive`.
    public func sensitive() -> some View { overlay(Redaction().allowsHitTesting(false)) }
}

/// A password field whose content is a `SecretField`, which a view must keep in `@State`. Other storage is recreated,
/// empty, whenever the surrounding body is evaluated.
public struct SecretInput: UIViewRepresentable {
    private let title: String
    private let field: SecretField
    private let contentType: UITextContentType
    private let rules: PasswordRulesText?
    private let onRefusal: (@MainActor (SecretFieldError) -> Void)?
    private let onSubmit: @MainActor () -> Void

    /// A field with `title` as its placeholder. The return key calls `onSubmit`; a refused edit calls `onRefusal`.
    public init(
        _ title: String, field: SecretField, contentType: UITextContentType = .password,
        rules: PasswordRulesText? = nil, onSubmit: @escaping @MainActor () -> Void = {},
        onRefusal: (@MainActor (SecretFieldError) -> Void)? = nil
    ) {
        self.title = title
        self.field = field
        self.contentType = contentType
        self.rules = rules
        self.onRefusal = onRefusal
        self.onSubmit = onSubmit
    }

    /// Makes the text field. Called by SwiftUI.
    public func makeUIView(context: Context) -> SecretTextField {
        let view = SecretTextField()
        take(over: view)
        return view
    }

    /// Applies every change: field, texts, closures. Called by SwiftUI.
    public func updateUIView(_ view: SecretTextField, context: Context) { take(over: view) }

    /// Ends the binding. Called by SwiftUI.
    public static func dismantleUIView(_ view: SecretTextField, coordinator: Void) { view.edits(nil) }

    private func take(over view: SecretTextField) {
        view.placeholder = title
        view.edits(field, contentType: contentType, rules: rules, onRefusal: onRefusal)
        // Replaces the action of the same name, and so the closure of the last update.
        view.addAction(UIAction(identifier: .submitsSecret) { _ in onSubmit() }, for: .editingDidEndOnExit)
    }
}

extension UIAction.Identifier {
    static let submitsSecret = UIAction.Identifier("zamok.submits-secret")
}

struct LeavingReporter: UIViewControllerRepresentable {
    let content: any ConfidentialContent
    let events: [ClearingEvent]

    func makeUIViewController(context: Context) -> LeavingObserver { LeavingObserver(handle: report) }

    func updateUIViewController(_ controller: LeavingObserver, context: Context) { controller.handle = report }

    private func report(_ answer: LeavingState.Answer) {
        if case .tell(let event) = answer, !events.contains(event) { return }
        content.take(answer)
    }
}

struct Redaction: UIViewRepresentable {
    func makeUIView(context: Context) -> RedactionView { RedactionView() }
    func updateUIView(_ view: RedactionView, context: Context) {}
}
#endif
