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
        #expect(view.auditFinding?.word == "new password")
        let screen = UIView()
        screen.addSubview(view)
        #expect(screen.auditFindings.count == 1)
    }

    @Test("What clears the secret empties the text field, before the call returns")
    func cleared() {
        let (view, field) = typedField()
        contents.handle(.userChanged)
        #expect(field.isEmpty)
        #expect(view.text == "")
    }

    // Rule: a revealed field stays masked for UIKit | unmasked
    // Rule: no drag | left on
    @Test(
        "A field that the user sees in clear stays masked for UIKit, so that no key is lost after it and nothing can be copied"
    )
    func revealed() {
        let (view, field) = typedField()
        field.reveal()
        let window = UIWindow(frame: .zero)
        window.rootViewController = UIViewController()
        window.rootViewController?.view.addSubview(view)
        window.isHidden = false
        #expect(seen(in: view) == ["secret"])
        #expect(view.isSecureTextEntry && !view.wasEverInClear && !view.admitsOtherKeyboards)
        for action in ["copy:", "cut:"] {
            #expect(!view.canPerformAction(NSSelectorFromString(action), withSender: nil))
        }
        #expect(view.textDragInteraction?.isEnabled == false)
        #expect(view.inlinePredictionType == .no && view.writingToolsBehavior == .none)
        view.type("!")
        #expect(seen(in: view) == ["secret!"])
        field.mask()
        #expect(seen(in: view) == ["•••••••"])
        view.type("?")
        #expect(view.text == "secret!?")
        #expect(field.count == 8)
    }

    @Test("The known fault: a field that is unmasked and masked again is emptied by the next key")
    func knownFault() {
        let view = UITextField()
        view.isSecureTextEntry = true
        view.type("secret")
        view.isSecureTextEntry = false
        #expect(view.canPerformAction(NSSelectorFromString("copy:"), withSender: nil) && view.admitsOtherKeyboards)
        view.isSecureTextEntry = true
        view.type("!")
        #expect(view.text == "!")
    }

    @Test("A field that UIKit empties when it is edited anew is empty in the secret, too")
    func editedAnew() {
        let (view, field) = typedField()
        view.becomeFirstResponder()
        view.deleteBackward()
        #expect(view.text == "")
        #expect(field.isEmpty)
    }

    // Rule: the menu has nothing that takes text elsewhere | commands allowed; menus left in | also "Whole menus are taken out of it"
    @Test("The menu of the field for secrets has nothing that takes text elsewhere")
    func menu() {
        let view = SecretTextField()
        view.type("secret")
        let elsewhere = [
            "copy:", "cut:", "_lookup:", "_define:", "_translate:", "_share:", "_showWritingTools:", "_addShortcut:",
            "buildNew:",
        ]
        for isSecure in [false, true] {
            view.isSecureTextEntry = isSecure
            for action in elsewhere {
                #expect(!view.canPerformAction(NSSelectorFromString(action), withSender: nil), "\(action)")
            }
            for action in ["paste:", "select:", "selectAll:", "delete:"] {
                #expect(view.canPerformAction(NSSelectorFromString(action), withSender: nil), "\(action)")
            }
        }
    }

    @Test("Whole menus are taken out of it")
    func menus() {
        final class Builder: UIMenuBuilder {
            var removed: [UIMenu.Identifier] = []
            func remove(menu: UIMenu.Identifier) { removed.append(menu) }
        }
        let builder = Builder()
        SecretTextField().buildMenu(with: builder)
        #expect(builder.removed == [.lookup, .share, .learn, .speech])
    }

    // Rule: what is revealed is opaque | the field's own background
    @Test("What is revealed lies over the dots, whatever colour the field has, and looks like its text")
    func opaque() {
        let (view, field) = typedField()
        view.textAlignment = .center
        for colour in [nil, UIColor.clear, .systemBackground.withAlphaComponent(0.5), .secondarySystemBackground] {
            view.backgroundColor = colour
            field.reveal()
            #expect(seen(in: view) == ["secret"])
            field.mask()
        }
        let overlay = view.subviews.lazy.compactMap { $0 as? UILabel }.first
        #expect(overlay?.textAlignment == .center && overlay?.backgroundColor === UIColor.secondarySystemBackground)
    }

    // Rule: a revealed secret is shown whole | one line
    @Test("A secret that is longer than its field is shown whole")
    func whole() throws {
        let field = SecretField(in: contents)
        let view = UITextField(frame: CGRect(x: 0, y: 0, width: 200, height: 30))
        view.edits(field)
        let secret = String(repeating: "correct horse ", count: 5)
        view.type(secret)
        field.reveal()
        let overlay = try #require(view.subviews.lazy.compactMap { $0 as? UILabel }.first)
        #expect(overlay.visibleText == secret && overlay.adjustsFontForContentSizeCategory)
    }

    // Rule: what is refused is taken back in the view | not | also "A view that is updated…"
    @Test("What a field doesn't take is not shown, and the user is told")
    func tooLong() {
        let field = SecretField(maximumBytes: 4, in: contents)
        let view = UITextField()
        var refusals: [SecretFieldError.Code] = []
        view.edits(field, onRefusal: { refusals.append($0.code) })
        for key in ["a", "b", "c", "de"] { view.type(key) }
        #expect(view.text == "abc")
        #expect(field.hasContent("abc"))
        #expect(refusals == [.tooLong])
    }

    // Rule: a lent field shows what it showed | edited all the same
    @Test(
        "While a field is lent it shows what it showed and takes no key; after a failed submission the text is where it was"
    )
    func lent() async {
        struct Refused: Error {}
        let (view, field) = typedField()
        await #expect(throws: Refused.self) {
            try await field.submit { _ in
                view.type("x")
                #expect(view.text == "secret")
                throw Refused()
            }
        }
        #expect(view.text == "secret")
        #expect(field.hasContent("secret"))
    }

    // Rule: another field, policy, own cover, SwiftUI update is taken over | four breaks, one each | also "A policy and an unlock…" and "Scenes
    //   that are there already…", "A field in the app's own cover…", "A view that is updated…"
    @Test("Another field can be bound, and none; the field before hears of no key any more")
    func rebinding() {
        let (view, first) = typedField()
        let second = SecretField(in: contents)
        view.edits(second)
        #expect(view.text == "")
        view.type("new")
        #expect(first.hasContent("secret") && second.hasContent("new"))
        first.clear()
        #expect(view.text == "new")
        view.edits(second)
        view.type("er")
        #expect(second.hasContent("newer"))
        view.edits(nil)
        #expect(view.text == "")
        view.type("free")
        #expect(view.text == "free" && second.hasContent("newer"))
        #expect(view.subviews.allSatisfy { !($0 is SecretOverlay) })
    }

    // Rule: masked when the notification returns | as soon as the main actor can | and four others
    // Rule: masked at resign, at a recording | not, one each | also "masks what one scene reveals…", "covers while recorded…"
    @Test(
        "A revealed field is masked when the notification returns, under every policy",
        arguments: PrivacyScreen.Policy.Moment.allCases)
    func maskedInTime(moment: PrivacyScreen.Policy.Moment) {
        let policies: [PrivacyScreen.Policy] = [
            .init(covers: moment), .init(covers: moment, coversWhenRecorded: false, coversDuringAuthentication: false),
        ]
        for policy in policies {
            let app = TestApp(policy: policy, order: .sceneFirst)
            app.play(Lifecycle.all[0])
            let view = app.fields[0]
            let field = SecretField(in: app.contents)
            view.edits(field)
            view.type("secret")
            for event in ["willDeactivate", "recording"] {
                field.reveal(for: .seconds(600))
                #expect(seen(in: view) == ["secret"])
                if event == "recording" {
                    app.system.scene("scene 0")?.setCaptured(true)
                } else {
                    app.controller?.handle(.authenticationBegan)
                    app.play(.willDeactivate(0))
                }
                #expect(seen(in: view) == ["••••••"], "\(event)")
                app.controller?.handle(.authenticationEnded)
                app.play(.didActivate(0))
            }
        }
    }

    // Rule: one scene's mask leaves the others | all masked
    @Test("What one scene reveals is masked with it, and not with another")
    func masksOneScene() {
        let app = TestApp(policy: .standard, order: .sceneFirst)
        for scene in 0...1 {
            for step in [LifecycleStep.connect(scene), .willEnterForeground(scene), .didActivate(scene)] {
                app.play(step)
            }
        }
        let fields = app.fields.map { view in
            let field = SecretField(in: app.contents)
            view.edits(field)
            view.type("secret")
            field.reveal(for: .seconds(600))
            return field
        }
        app.play(.willDeactivate(0))
        #expect(fields.map(\.isRevealed) == [false, true])
    }

    @Test("What has fallen due is gone from the text field before the cover is")
    func clearedBeforeUncovered() {
        let app = TestApp(policy: .standard, order: .sceneFirst)
        app.play(Lifecycle.all[0])
        let view = app.fields[0]
        let field = SecretField(
            policy: .init(backgrounded: .clearAfter(.seconds(10))), in: app.contents,
            now: { [time = app.time] in time.now })
        view.edits(field)
        view.type("secret")
        for step in [LifecycleStep.willDeactivate(0), .didEnterBackground(0), .wait(.seconds(10))] { app.play(step) }
        #expect(view.text == "secret")
        app.play(.willEnterForeground(0))
        #expect(app.controller?.screen.isCovered(SceneID("scene 0")) == true)
        #expect(view.text == "")
    }

    // Rule: a visible field goes into no cache; keyboards of others are refused | predictions left on; admitted
    @Test("A card number can be seen and goes into no cache, and no field has another developer's keyboard")
    func uncached() {
        let view = UITextField()
        view.keepsOutOfCaches(contentType: .creditCardNumber)
        view.type("4111")
        #expect(view.drawnText == "4111" && !view.isSecureTextEntry)
        #expect(view.autocorrectionType == .no && view.spellCheckingType == .no && view.inlinePredictionType == .no)
        #expect(view.writingToolsBehavior == .none && view.textDragInteraction?.isEnabled == false)
        #expect(view.textContentType == .creditCardNumber)
        #expect(!PrivacyScreen.admits(.keyboard) && PrivacyScreen.admits(.other))
    }

    // MARK: AutoFill

    /// A screen for a new password that was generated, pushed onto another.
    private func signUp() -> (UINavigationController, UITextField, SecretField, UIWindow) {
        PasswordSaving.reset()
        let field = SecretField(in: contents)
        let (view, screen) = (SecretTextField(), UIViewController())
        view.edits(field, contentType: .newPassword)
        screen.clears(field)
        screen.view.addSubview(view)
        let navigation = UINavigationController(rootViewController: UIViewController())
        let window = UIWindow(frame: .zero)
        window.rootViewController = navigation
        window.isHidden = false
        navigation.pushViewController(screen, animated: false)
        view.autoFill("generated")
        return (navigation, view, field, window)
    }

    // Rule: AutoFill finds an accepted password when its field leaves | emptied when accepted; emptied before it leaves (SwiftUI) | nothing offered
    @Test(
        "A generated password that was accepted is offered for saving when its screen is left, and then gone",
        arguments: ["after", "within", "locked", "dismantled"])
    func saving(when: String) async throws {
        SecretOverlay.savingTime = .milliseconds(30)
        defer { SecretOverlay.savingTime = .seconds(1) }
        let (navigation, view, field, window) = signUp()
        defer { withExtendedLifetime(window) {} }
        try await field.submit { _ in if when == "within" { navigation.popViewController(animated: false) } }
        #expect(field.isEmpty)
        #expect(seen(in: view) == ["•••••••••"])
        if when == "locked" { contents.handle(.locked) }
        if when == "dismantled" {
            // SwiftUI ends the binding in anticipation of the removal.
            SecretInput.dismantleUIView(
                try #require(view as? SecretTextField), coordinator: SecretInputCoordinator())
            view.removeFromSuperview()
        } else if when != "within" {
            navigation.popViewController(animated: false)
        }
        PasswordSaving.read()
        #expect(PasswordSaving.offered == ["generated"])
        #expect(await eventually { view.text == "" })
    }

    @Test(
        "What is given up, refused or another user's is not offered for saving",
        arguments: ["given up", "refused", "user"])
    func notSaved(why: String) async {
        struct Refused: Error {}
        let (navigation, view, field, window) = signUp()
        defer { withExtendedLifetime(window) {} }
        if why != "given up" {
            try? await field.submit { _ in
                if why == "refused" {
                    navigation.popViewController(animated: false)
                    throw Refused()
                }
            }
            if why == "user" { contents.handle(.userChanged) }
        }
        if why != "refused" { navigation.popViewController(animated: false) }
        PasswordSaving.read()
        #expect(PasswordSaving.offered.isEmpty && view.text == "" && field.isEmpty)
    }

    // Rule: a copy is local and ends | not local; ends an hour later | both cases
    @Test("A copy stays on this device and ends in time, and there is none where the policy has none")
    func pasteboard() {
        let (_, field) = typedField()
        let board = UIPasteboard.general
        board.setItems([])
        #expect(!board.copy(field, under: .off))
        #expect(board.items.isEmpty)
        let now = Date()
        #expect(board.copy(field, under: ClipboardPolicy(isAllowed: true, clearsAfter: .seconds(45)), at: now))
        #expect(board.items.first?["public.utf8-plain-text"] as? String == "secret")
        #expect(board.options[.localOnly] as? Bool == true)
        #expect(board.options[.expirationDate] as? Date == now.addingTimeInterval(45))
        board.setItems([])
        #expect(!board.copy(SecretField(in: contents), under: ClipboardPolicy(isAllowed: true)))
    }

    // Rule: a secret is copied by its policy, while it is revealed | the menu without the policy; copy(_:) of a masked one | isCopied → false; items.count → 1
    @Test("The menu of the field copies a revealed secret where a policy allows it, and never a masked one")
    func copying() {
        let (field, view, board) = (SecretField(in: contents), SecretTextField(), UIPasteboard.general)
        let copy = NSSelectorFromString("copy:")
        view.edits(field)
        view.type("secret")
        for (policy, isRevealed) in [
            (ClipboardPolicy.off, false), (.off, true), (ClipboardPolicy(isAllowed: true), false),
            (ClipboardPolicy(isAllowed: true), true),
        ] {
            view.copying = policy
            if isRevealed { field.reveal() } else { field.mask() }
            board.setItems([])
            view.copy(nil)
            let isCopied = policy.isAllowed && isRevealed
            #expect(view.canPerformAction(copy, withSender: nil) == isCopied)
            #expect(board.items.count == (isCopied ? 1 : 0))
        }
        #expect(board.options[.localOnly] as? Bool == true && view.isSecureTextEntry)
    }

    /// What is seen of a field.
    private func seen(in view: UITextField) -> [String] {
        var texts = [view.drawnText].compactMap(\.self)
        for label in view.subviews where !label.isHidden {
            guard let text = label.drawnText else { continue }
            texts = label.backgroundColor?.cgColor.alpha == 1 ? [text] : texts + [text]
        }
        return texts
    }

    @Test(
        "A screen that is popped, dismissed or contained in what is leaves for good; a pushed-over one is covered; a tab hides"
    )
    func leaving() {
        var events: [ClearingEvent] = []
        var masked = 0
        let observer = LeavingObserver { if case .tell(let event) = $0 { events.append(event) } else { masked += 1 } }
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
        let full = UIViewController()
        full.modalPresentationStyle = .fullScreen
        screen.present(full, animated: false)
        screen.dismiss(animated: false)
        // A sheet leaves its presenter where it is.
        screen.present(UIViewController(), animated: false)
        screen.dismiss(animated: false)
        root.dismiss(animated: false)
        #expect(events == [.shown, .hidden, .shown, .left])
        #expect(masked == 5)
    }

    // Rule: a gesture that is called off clears nothing | told at its beginning | also "A screen that is popped…", StatesTests
    @Test(
        "A back-swipe or the drag of a sheet clears when it is finished, and nothing when it is called off",
        arguments: [true, false])
    func gestures(isCancelled: Bool) throws {
        let (below, above, inSheet) = (SecretField(in: contents), SecretField(in: contents), SecretField(in: contents))
        let (root, screen, sheet) = (UIViewController(), UIViewController(), UIViewController())
        root.clears(below)
        screen.clears(above)
        sheet.clears(inSheet)
        let navigation = UINavigationController(rootViewController: root)
        let window = UIWindow(frame: .zero)
        window.rootViewController = navigation
        window.isHidden = false
        navigation.pushViewController(screen, animated: false)
        for field in [below, above, inSheet] {
            try field.append("secret")
            field.reveal(for: .seconds(600))
        }
        for _ in 0..<3 {
            let swipe = navigation.beginBackSwipe()
            // While the finger is down the text is there, and masked.
            #expect(above.count == 6 && !above.isRevealed)
            swipe.end(isCancelled: true)
            #expect(above.count == 6)
        }
        navigation.beginBackSwipe().end(isCancelled: isCancelled)
        #expect(above.isEmpty == !isCancelled)
        navigation.present(sheet, animated: false)
        let drag = navigation.beginDrag()
        #expect(inSheet.count == 6 && !inSheet.isRevealed)
        drag.end(isCancelled: isCancelled)
        #expect(inSheet.isEmpty == !isCancelled)
    }

    // Rule: UIKit: another tab is no leaving | taken for one | also "A screen that is popped, dismissed or contained in what is leaves for good …"
    @Test("A password survives a look at another tab, and not the end of its screen")
    func policies() throws {
        let field = SecretField(in: contents)
        let screen = UIViewController()
        screen.clears(field)
        let tabs = UITabBarController()
        tabs.viewControllers = [screen, UIViewController()]
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
