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
    private let context = SecretInput.Context(coordinator: SecretInputCoordinator())

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
        SecretInput.dismantleUIView(view, coordinator: context.coordinator)
        view.type("x")
        #expect(second.hasContent("new"))
    }

    /// An app of two groups of windows, of which one has the modifier.
    struct TwoGroups: App {
        var body: some SwiftUI.Scene {
            WindowGroup { Text("accounts") }.privacyProtected(.init(locksAfter: .seconds(60))) { true }
            WindowGroup("statement") { Text("statement") }
        }
    }

    // Rule: the lock covers every window, whichever group's comes first | installed where the first group's content is made
    @Test(
        "The cover is on every window before its first frame, whichever group's is restored or opened by a link first")
    func everyWindow() async {
        for first in [0, 1] {
            let app = TestApp(policy: nil, order: .sceneFirst, isLaunched: false)
            let groups = TwoGroups.begin()
            #expect(groups.count == 2)
            app.system.launch()
            for (scene, group) in [(0, first), (1, 1 - first)] {
                app.system.connect("scene \(scene)") { windowScene in
                    groups[group]()
                    app.build(in: windowScene)
                }
                let content = ["card 4111", "balance 1000", "code 123456"]
                #expect(!app.system.picture(of: "scene \(scene)").contains(where: content.contains), "group \(group)")
            }
            app.play(.willEnterForeground(0))
            app.play(.didActivate(0))
            let controller = LifecycleObserver.installed?.controller
            #expect(controller?.screen.isLocked == true)
            while controller?.screen.isAuthenticating == true { await Task.yield() }
            #expect(app.system.picture(of: "scene 0").contains("card 4111"))
        }
    }

    // Rule: emptiness and focus are followed, both ways | not observed; not set
    @Test("A view knows whether the field is empty and has the focus, and gives it")
    func bindings() async {
        var (isEmpty, isFocused) = (false, true)
        let field = SecretField(in: contents)
        let input = SecretInput(
            "Password", field: field, isEmpty: Binding(get: { isEmpty }, set: { isEmpty = $0 }),
            isFocused: Binding(get: { isFocused }, set: { isFocused = $0 }))
        let view = input.makeUIView(context: context)
        #expect(await eventually { isEmpty && view.isFirstResponder })
        view.type("secret")
        #expect(await eventually { !isEmpty })
        field.clear()
        #expect(await eventually { isEmpty })
        view.resignFirstResponder()
        #expect(!isFocused)
        view.becomeFirstResponder()
        #expect(isFocused)
        isFocused = false
        input.updateUIView(view, context: context)
        #expect(await eventually { !view.isFirstResponder })
        #expect(view.adjustsFontForContentSizeCategory)
    }

    @Test("A policy and an unlock that come later hold from then on")
    func policies() async {
        let app = TestApp(policy: nil, order: .sceneFirst, isLaunched: false)
        var asked: [String] = []
        _ = WindowGroup { Text("content") }.privacyProtected(.standard) {
            asked.append("first")
            return true
        }
        app.system.launch()
        app.play(.connect(0))
        // The body of an App is computed again and again, here before anything was seen.
        for _ in 0..<3 {
            _ = WindowGroup { Text("content") }.privacyProtected(.init(locksAfter: .seconds(60))) {
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
        let anchor = LeavingReporter(content: first, events: [.left]).makeUIViewController(context: context)
        LeavingReporter(content: second, events: [.covered]).updateUIViewController(anchor, context: context)
        let (navigation, screen, window) = pushedScreen()
        screen.showRow(anchor)
        navigation.pushViewController(UIViewController(), animated: false)
        #expect(first.count == 6 && second.isEmpty)
        withExtendedLifetime(window) {}
    }

    private func pushedScreen() -> (UINavigationController, UIViewController, UIWindow) {
        let screen = UIViewController()
        let navigation = UINavigationController(rootViewController: UIViewController())
        let window = UIWindow(frame: .zero)
        window.rootViewController = navigation
        window.isHidden = false
        navigation.pushViewController(screen, animated: false)
        return (navigation, screen, window)
    }

    // Rule: a row that is scrolled off keeps its content | told as left
    // Rule: a screen that is left clears also what is scrolled off | not looked at
    @Test("A field in a list is kept when it is scrolled off, and cleared when the screen is left, there or not")
    func scrolledOff() async throws {
        LeavingAnchor.interval = .milliseconds(5)
        defer { LeavingAnchor.interval = .seconds(1) }
        for isOff in [false, true] {
            let field = SecretField(in: contents)
            try field.append("secret")
            let (navigation, screen, window) = pushedScreen()
            let anchor = LeavingReporter(content: field, events: ClearingEvent.allCases)
                .makeUIViewController(context: LeavingReporter.Context())
            screen.showRow(anchor)
            field.reveal(for: .seconds(600))
            screen.scrollOff(anchor)
            #expect(field.count == 6 && !field.isRevealed)
            if !isOff { screen.showRow(anchor) }
            try await Task.sleep(for: .milliseconds(20))
            #expect(field.count == 6 && field.deadline == nil)
            navigation.popViewController(animated: false)
            #expect(await eventually { field.isEmpty })
            withExtendedLifetime(window) {}
        }
    }

    // Rule: a sensitive view is one for the system, too | overlay alone | contains("privacySensitive")
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
        #expect("\(Text("account 42").sensitive())".contains("privacySensitive"))
    }
}
