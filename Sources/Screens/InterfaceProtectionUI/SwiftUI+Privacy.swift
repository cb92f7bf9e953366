// SPDX-License-Identifier: Apache-2.0

// Compiled here against a stand-in that knows only what is used below. Everything that decides is in InterfaceProtection; everything that touches
// windows is in the files beside this one.

#if canImport(SwiftUI) && canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import InterfaceProtection
public import SwiftUI
public import UIKit

extension View {
    /// Puts the whole app under a privacy screen, sheets and alerts included. Covers are windows, not views: a view would lie
    /// under every sheet, and the phase of the whole app would mix its scenes. `unlock` is that of `PrivacyScreen.install`; the policy and
    /// `unlock` that came last apply.
    public func privacyProtected(
        _ policy: PrivacyScreen.Policy = .standard, unlock: @escaping @MainActor () async -> Bool
    ) -> some View {
        PrivacyScreen.install(policy: policy, unlock: unlock)
        return privacySensitive()
    }

    /// Clears `content`, by its policy, when this view has been left, covered by the next one, or hidden by another tab; `events`
    /// leaves some of these out.
    public func clears(
        _ content: any ConfidentialContent, on events: [ClearingEvent] = [.left, .covered, .hidden, .shown]
    ) -> some View {
        background(LeavingReporter(content: content, events: events).frame(width: 0, height: 0))
    }

    /// Blanks this view while its scene is recorded, mirrored or shared, as `UIView.isSensitive` does.
    public func sensitive() -> some View { overlay(Redaction().allowsHitTesting(false)) }
}

/// A password field whose content is a `SecretField`, which a view must keep in `@State`: whatever else a view holds is made again, empty, whenever
/// the body that the view stands in is computed.
public struct SecretInput: UIViewRepresentable {
    private let title: String
    private let field: SecretField
    private let contentType: UITextContentType
    private let rules: PasswordRulesText?
    private let onRefusal: (@MainActor (SecretFieldError) -> Void)?
    private let onSubmit: @MainActor () -> Void

    /// A field with `title` as its placeholder; `onSubmit` is called by the return key, `onRefusal` when an edit was not taken.
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

    /// Takes over all that has changed: field, texts, closures. Called by SwiftUI.
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
