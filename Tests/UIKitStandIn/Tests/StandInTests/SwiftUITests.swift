// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import SwiftUI
import Testing
import UIKit

@testable import InterfaceProtectionUIUnderTest

@MainActor
@Suite("The adapters for SwiftUI", .serialized)
struct SwiftUITests {
    let contents = ConfidentialContents()
    private let context = SecretInput.Context(coordinator: ())

    @Test("A view that is updated edits the field, and calls the closures, that came last")
    func updates() {
        let (first, second) = (SecretField(in: contents), SecretField(maximumBytes: 4, in: contents))
        var submitted: [String] = []
        var refused = 0
        let view = SecretInput("First", field: first, onSubmit: { submitted.append("first") }).makeUIView(
            context: context)
        view.type("secret")
        SecretInput(
            "Second", field: second, contentType: .newPassword, onSubmit: { submitted.append("second") },
            onRefusal: { _ in refused += 1 }
        )
        .updateUIView(view, context: context)
        #expect(view.placeholder == "Second" && view.textContentType == .newPassword)
        #expect(view.text == "")
        view.type("new")
        view.type("too long")
        #expect(first.hasContent("secret") && second.hasContent("new"))
        #expect(refused == 1)
        view.sendActions(for: .editingDidEndOnExit)
        #expect(submitted == ["second"])
        // The same again binds nothing anew and loses nothing.
        SecretInput("Second", field: second).updateUIView(view, context: context)
        #expect(view.text == "new")
        SecretInput.dismantleUIView(view, coordinator: ())
        view.type("x")
        #expect(second.hasContent("new"))
    }

    @Test("A policy and an unlock that come later hold from then on")
    func policies() async {
        let app = TestApp(policy: nil, order: .sceneFirst, isLaunched: false)
        var asked: [String] = []
        _ = Text("content").privacyProtected(.standard) {
            asked.append("first")
            return true
        }
        app.system.launch()
        app.play(.connect(0))
        // A view's body is computed again and again, here before anything was seen.
        for _ in 0..<3 {
            _ = Text("content").privacyProtected(.init(locksAfter: .seconds(60))) {
                asked.append("second")
                return true
            }
        }
        app.play(.willEnterForeground(0))
        app.play(.didActivate(0))
        #expect(!app.system.picture(of: "scene 0").contains("card 4111"))
        let controller = LifecycleObserver.installed?.controller
        #expect(controller?.screen.policy.locksAfter == .seconds(60))
        while controller?.screen.isAuthenticating == true { await Task.yield() }
        #expect(asked == ["second"])
        #expect(app.system.picture(of: "scene 0").contains("card 4111"))
    }

    @Test("What is cleared with a view, and on what, can change")
    func clears() throws {
        let (first, second) = (SecretField(in: contents), SecretField(in: contents))
        for field in [first, second] { try field.append("secret") }
        let context = LeavingReporter.Context()
        let observer = LeavingReporter(content: first, events: [.left]).makeUIViewController(context: context)
        LeavingReporter(content: second, events: [.covered]).updateUIViewController(observer, context: context)
        observer.handle(.tell(.left))
        observer.handle(.tell(.covered))
        #expect(first.count == 6 && second.isEmpty)
    }

    @Test("A sensitive view is blanked by the same view as in UIKit")
    func sensitive() {
        let app = TestApp(policy: .init(coversWhenRecorded: false), order: .sceneFirst)
        app.play(Lifecycle.all[0])
        let view = Redaction().makeUIView(context: Redaction.Context(coordinator: ()))
        #expect(!view.isHidden)
        app.mainWindows[0].rootViewController?.view.addSubview(view)
        #expect(view.isHidden)
        app.system.scene("scene 0")?.setCaptured(true)
        #expect(!view.isHidden)
        _ = Text("account 42").sensitive()
    }
}
