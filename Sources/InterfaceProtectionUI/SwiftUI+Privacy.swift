// SPDX-License-Identifier: Apache-2.0
//
// Not compiled where this repository is tested: there is no SwiftUI on Linux, and no stand-in for it either. Everything that
// decides is in InterfaceProtection; everything that touches windows is in the files beside this one, which are tested.

#if canImport(SwiftUI) && canImport(UIKit)
public import InterfaceProtection
public import SwiftUI
import UIKit

extension View {
    /// Puts the whole app under a privacy screen, sheets and alerts included. Covers are windows, not views: a view would lie
    /// under every sheet, and the phase of the whole app would mix its scenes.
    public func privacyProtected(
        _ policy: PrivacyScreen.Policy = .standard, unlock: @escaping @MainActor () async -> Bool = { true }
    ) -> some View {
        PrivacyScreen.install(policy: policy, unlock: unlock)
        return privacySensitive()
    }

    /// Clears `content`, by its policy, as this view is left, covered by the next one, or hidden by another tab; `events`
    /// leaves some of these out.
    public func clears(
        _ content: any ConfidentialContent, on events: [ClearingEvent] = [.left, .covered, .hidden, .shown]
    ) -> some View {
        background(LeavingReporter(content: content, events: events).frame(width: 0, height: 0))
    }
}

/// A password field whose content is a `SecretField`.
public struct SecretInput: UIViewRepresentable {
    private let title: String
    private let field: SecretField
    private let contentType: UITextContentType
    private let rules: PasswordRulesText?
    private let onSubmit: @MainActor () -> Void

    /// A field with `title` as its placeholder; `onSubmit` is called by the return key.
    public init(
        _ title: String, field: SecretField, contentType: UITextContentType = .password,
        rules: PasswordRulesText? = nil, onSubmit: @escaping @MainActor () -> Void = {}
    ) {
        self.title = title
        self.field = field
        self.contentType = contentType
        self.rules = rules
        self.onSubmit = onSubmit
    }

    /// Makes the text field. Called by SwiftUI.
    public func makeUIView(context: Context) -> UITextField {
        let view = UITextField()
        view.edits(field, contentType: contentType, rules: rules)
        view.addAction(UIAction { _ in onSubmit() }, for: .editingDidEndOnExit)
        return view
    }

    /// Brings the placeholder up to date. Called by SwiftUI.
    public func updateUIView(_ view: UITextField, context: Context) { view.placeholder = title }
}

private struct LeavingReporter: UIViewControllerRepresentable {
    let content: any ConfidentialContent
    let events: [ClearingEvent]

    func makeUIViewController(context: Context) -> LeavingObserver {
        LeavingObserver { [content, events] event in
            if events.contains(event) { content.handle(event, at: .now) }
        }
    }

    func updateUIViewController(_ controller: LeavingObserver, context: Context) {}
}
#endif
