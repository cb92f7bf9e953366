// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import Testing
import UIKit

@testable import InterfaceProtectionUIUnderTest

@MainActor
@Suite("The adapters' fields and screens", .serialized)
struct FieldTests {
    let contents = ConfidentialContents()

    private func typedField() -> (UITextField, SecretField) {
        let field = SecretField(in: contents)
        let view = UITextField()
        view.edits(field, contentType: .newPassword, rules: Rule.newPassword().passwordRules)
        view.type("se")
        view.type("cret")
        return (view, field)
    }

    private func settle(until condition: () -> Bool) async {
        for _ in 0..<10_000 where !condition() { await Task.yield() }
    }

    @Test("A text field of a secret is set up as one, and feeds it")
    func configuration() {
        let (view, field) = typedField()
        #expect(view.isSecureTextEntry)
        #expect(view.autocorrectionType == .no)
        #expect(view.spellCheckingType == .no)
        #expect(view.autocapitalizationType == .none)
        #expect(view.textContentType == .newPassword)
        #expect(view.passwordRules?.passwordRulesDescriptor == "minlength: 15; maxlength: 128; allowed: unicode;")
        #expect(field.count == 6)
        #expect(view.auditFinding == nil)
        view.isSecureTextEntry = false
        #expect(view.auditFinding?.word == "password")
        let screen = UIView()
        screen.addSubview(view)
        #expect(screen.auditFindings.count == 1)
    }

    @Test("What clears the secret empties the text field")
    func cleared() async {
        let (view, field) = typedField()
        contents.handle(.userChanged)
        #expect(field.isEmpty)
        await settle { view.text == nil }
        #expect(view.text == nil)
    }

    @Test("A field that was revealed and masked again keeps its text at the next key")
    func revealed() async {
        let (view, field) = typedField()
        field.reveal()
        await settle { !view.isSecureTextEntry }
        #expect(!view.isSecureTextEntry)
        field.mask()
        await settle { view.isSecureTextEntry }
        view.type("!")
        #expect(view.text == "secret!")
        #expect(field.count == 7)
    }

    @Test(
        "A screen that is popped, dismissed or contained in what is leaves for good; a pushed-over one is covered; a tab hides"
    )
    func leaving() {
        var events: [ClearingEvent] = []
        let observer = LeavingObserver { events.append($0) }
        let screen = UIViewController()
        screen.addChild(observer)
        let root = UIViewController()
        let navigation = UINavigationController(rootViewController: root)
        let tabs = UITabBarController()
        tabs.viewControllers = [navigation, UIViewController()]
        let window = UIWindow(frame: .zero)
        window.rootViewController = tabs
        window.isHidden = false
        navigation.pushViewController(screen, animated: false)
        #expect(events == [.shown])
        tabs.selectedIndex = 1
        tabs.selectedIndex = 0
        #expect(events == [.shown, .hidden, .shown])
        navigation.pushViewController(UIViewController(), animated: false)
        navigation.popViewController(animated: false)
        #expect(events == [.shown, .hidden, .shown, .covered, .shown])
        navigation.popViewController(animated: false)
        #expect(events.last == .left)
        // A sheet that contains the screen, two levels up.
        events = []
        let inner = UINavigationController(rootViewController: screen)
        root.present(inner, animated: false)
        screen.present(UIViewController(), animated: false)
        screen.dismiss(animated: false)
        root.dismiss(animated: false)
        #expect(events == [.shown, .hidden, .shown, .left])
    }

    @Test("A password survives a look at another tab, and not the end of its screen")
    func policies() throws {
        let field = SecretField(in: contents)
        let screen = UIViewController()
        screen.clears(field)
        let tabs = UITabBarController()
        tabs.viewControllers = [screen, UIViewController()]
        tabs.present(UIViewController(), animated: false)
        tabs.dismiss(animated: false)
        try field.append("secret")
        tabs.selectedIndex = 1
        tabs.selectedIndex = 0
        #expect(field.count == 6)
        let root = UIViewController()
        let window = UIWindow(frame: .zero)
        window.rootViewController = root
        window.isHidden = false
        root.present(tabs, animated: false)
        root.dismiss(animated: false)
        #expect(field.isEmpty)
    }
}
