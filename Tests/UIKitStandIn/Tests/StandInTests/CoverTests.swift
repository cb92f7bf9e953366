// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import Testing
import UIKit

@testable import InterfaceProtectionUIUnderTest

@MainActor
@Suite("The adapters' covers: launch, keys, assistive technology, other displays", .serialized)
struct CoverTests {
    private let scene = "scene 0"

    // MARK: Launch

    @Test("Installed before there is an application, it waits for it, and uncovers at the first activation")
    func beforeTheApplication() {
        for order in [StandInSystem.Order.sceneFirst, .applicationFirst] {
            let app = TestApp(policy: .standard, order: order, isLaunched: false)
            app.system.launch()
            app.play(Lifecycle.all[0])
            #expect(app.system.picture(of: scene).contains("card 4111"), "\(order)")
            app.play(.willDeactivate(0))
            app.play(.didEnterBackground(0))
            #expect(app.system.picture(of: scene) == [], "\(order)")
        }
    }

    @Test("The public API does so, too")
    func installBeforeTheApplication() {
        let app = TestApp(policy: nil, order: .sceneFirst, isLaunched: false)
        let controller = PrivacyScreen.install { false }
        #expect(controller.screen.isProtectedDataAvailable)
        app.system.launch()
        app.play(Lifecycle.all[0])
        #expect(app.system.picture(of: scene).contains("card 4111"))
    }

    // Rule: protected data is a level, read before whatever could uncover | not read at an activation | also StatesTests
    @Test("Prewarmed before first unlock, it is covered as long as data can't be read, though nobody tells when it can")
    func prewarmed() {
        let app = TestApp(policy: .standard, order: .sceneFirst, isLaunched: false)
        app.system.launch()
        app.system.setProtectedData(isAvailable: false)
        app.play(.connect(0))
        app.play(.didEnterBackground(0))
        app.play(.snapshot(0))
        #expect(app.controller?.screen.cause(of: SceneID(scene)) == .protectedDataUnavailable)
        app.system.setProtectedData(isAvailable: true, silently: true)
        app.play(.willEnterForeground(0))
        app.play(.didActivate(0))
        #expect(app.pictures.allSatisfy { !$0.contains("card 4111") })
        #expect(app.system.picture(of: scene).contains("card 4111"))
    }

    // Rule: a prewarmed process learns at its launch | not
    @Test("Installed before the application of a prewarmed process, it knows at its launch that data can't be read")
    func prewarmedBeforeTheApplication() {
        let app = TestApp(policy: .standard, order: .sceneFirst, isLaunched: false)
        app.system.launch(isProtectedDataAvailable: false)
        #expect(app.controller?.screen.isProtectedDataAvailable == false)
        app.play(.connect(0))
        #expect(app.controller?.screen.cause(of: SceneID(scene)) == .protectedDataUnavailable)
    }

    // Rule: an app that can lock is locked at launch | `locksAtLaunch` false unless set | also "A policy and an unlock that come later…", "protects
    //   from the first moment…", StatesTests
    @Test("An app that was swiped away and opened again is locked, where it locks at all")
    func coldStart() async {
        let app = TestApp(policy: .init(locksAfter: .seconds(60)), order: .sceneFirst)
        app.mayUnlock = false
        app.play(Lifecycle.all[0])
        #expect(app.controller?.screen.isLocked == true)
        #expect(!app.system.picture(of: scene).contains { ["card 4111", "balance 1000", "code 123456"].contains($0) })
        await app.unlock()
        #expect(app.unlocks == 1)
        #expect(app.system.picture(of: scene).contains("card 4111"))
    }

    // MARK: Keys

    // Rule: a cover over an active scene takes the keys | no `takeInput` | also "No picture shows…", StatesTests
    // Rule: whoever becomes key below gives it back | not taken back
    // Rule: the window that had the keys has them again | no `makeKey` on return | also "No picture shows…", StatesTests
    @Test(
        "Behind a cover over an active scene no field gets a key, and afterwards the window that had the keys has them again"
    )
    func keys() async {
        let app = TestApp.started(.init(locksAfter: .seconds(60), locksAtLaunch: false))
        let (main, field) = (app.mainWindows[0], app.fields[0])
        #expect(app.system.type("a", in: scene))
        app.mayUnlock = false
        app.controller?.handle(.lockRequested)
        let before = field.text
        #expect(!app.system.type("b", in: scene))
        #expect(field.text == before)
        #expect(app.system.receiverOfKeys(in: scene) is CoverViewController)
        #expect(!app.system.picture(of: scene).contains("keyboard"))
        #expect(!main.isKeyWindow && !main.isUserInteractionEnabled)
        // Nothing of the app's takes the keys back while it is covered: not a window, not an alert that goes, not a field.
        main.makeKey()
        #expect(app.system.receiverOfKeys(in: scene) is CoverViewController)
        let late = app.window(in: app.system.scene(scene), level: .alert, text: "code 123456")
        late.makeKeyAndVisible()
        #expect(app.system.receiverOfKeys(in: scene) is CoverViewController)
        #expect(!app.system.accessibleTexts(of: scene).contains("code 123456"))
        late.isHidden = true
        app.system.alertGoes(in: scene)
        field.becomeFirstResponder()
        #expect(!app.system.type("c", in: scene))
        await app.unlock()
        #expect(main.isKeyWindow && main.isUserInteractionEnabled)
        #expect(app.system.receiverOfKeys(in: scene) != nil)
        #expect(!(app.system.receiverOfKeys(in: scene) is CoverViewController))
    }

    // Rule: commands end at the cover | `target(forAction:)` goes on up the chain | also "A field in the app's own cover…"
    // Rule: the cover is where commands begin | never first responder
    @Test("No command of a key or a menu is performed behind a cover, by nobody there and not by the app's delegate")
    func commands() async {
        let app = TestApp.started(.init(locksAfter: .seconds(60), locksAtLaunch: false))
        let root = app.mainWindows[0].rootViewController
        app.fields[0].resignFirstResponder()
        root?.becomeFirstResponder()
        #expect(app.system.performer(of: "showBalance:", in: scene) === root)
        #expect(app.system.performer(of: "newPayment:", in: scene) === app.delegate)
        app.mayUnlock = false
        app.controller?.handle(.lockRequested)
        for command in ["showBalance:", "newPayment:", "paste:"] {
            #expect(app.system.performer(of: command, in: scene) == nil, "\(command)")
        }
        await app.unlock()
        #expect(app.system.performer(of: "newPayment:", in: scene) === app.delegate)
    }

    // Rule: …but not before the app's own field in it | takes it away
    @Test("A field in the app's own cover has its keys and commands; an own cover that comes later takes its place")
    func ownCover() throws {
        let app = TestApp(policy: nil, order: .sceneFirst)
        let field = UITextField()
        func install(_ words: String, _ view: UIView) {
            PrivacyScreen.install(
                policy: .init(style: .ownView, locksAfter: .seconds(60)),
                ownCover: {
                    let (controller, label) = (UIViewController(), UILabel())
                    label.text = words
                    for part in [label, view] { controller.view.addSubview(part) }
                    return controller
                }, unlock: { false })
        }
        install("enter your code", field)
        app.play(.connect(0))
        app.play(.willEnterForeground(0))
        field.becomeFirstResponder()
        app.play(.didActivate(0))
        #expect(app.system.type("1", in: scene) && field.text == "1")
        #expect(app.system.performer(of: "paste:", in: scene) === field)
        #expect(app.system.performer(of: "newPayment:", in: scene) !== app.delegate)
        #expect(app.system.picture(of: scene).contains("enter your code"))
        install("enter your new code", UIView())
        #expect(app.system.picture(of: scene) == ["enter your new code"])
        #expect(app.system.performer(of: "newPayment:", in: scene) == nil)
    }

    @Test("A pull of Control Centre leaves the keyboard and the key window alone")
    func interruption() {
        let app = TestApp.started()
        app.play(.willDeactivate(0))
        #expect(app.mainWindows[0].isKeyWindow && app.fields[0].isFirstResponder)
        #expect(app.system.receiverOfKeys(in: scene) == nil, "a scene that isn't active gets no keys")
        app.play(.didActivate(0))
        #expect(app.system.picture(of: scene).contains("keyboard"))
    }

    @Test("A window above the cover, for unlocking, is left alone")
    func promptAbove() {
        let app = TestApp.started(.init(locksAfter: .seconds(60)))
        app.mayUnlock = false
        let prompt = app.window(in: app.system.scene(scene), level: PrivacyScreen.coverLevel + 1, text: "passcode")
        prompt.makeKeyAndVisible()
        #expect(prompt.isKeyWindow)
        #expect(app.system.accessibleTexts(of: scene).contains("passcode"))
    }

    // Rule: the prompt's window is above the cover, and gone afterwards | at an alert's level; left there
    @Test("A passcode screen in the ready window is above the cover and has the keys; afterwards it is gone")
    func prompting() async {
        let app = TestApp(policy: nil, order: .sceneFirst)
        app.showsAlert = false
        let (prompt, field) = (UIViewController(), UITextField())
        prompt.view.addSubview(field)
        var answer = false
        let controller = PrivacyScreen.install(policy: .init(locksAfter: .seconds(60))) {
            await PrivacyScreen.prompting(with: prompt) {
                field.becomeFirstResponder()
                while !answer { await Task.yield() }
                return true
            }
        }
        app.play(Lifecycle.all[0])
        #expect(await eventually { field.isFirstResponder })
        #expect(app.system.type("4711", in: scene) && field.text == "4711")
        #expect(!app.system.picture(of: scene).contains("card 4111"))
        answer = true
        #expect(await eventually { !controller.screen.isAuthenticating })
        #expect(app.system.picture(of: scene).contains("card 4111"))
        #expect(app.system.receiverOfKeys(in: scene) !== field && app.mainWindows[0].isKeyWindow)
        let windows = app.system.scene(scene)?.windows ?? []
        #expect(windows.allSatisfy { $0.isHidden || $0.windowLevel != PrivacyScreen.promptLevel })
    }

    // MARK: Extensions

    // Rule: an extension is covered by its host's transitions | not observed
    @Test("An app extension is covered when its host resigns, and locked when that was away for too long")
    func appExtension() async {
        let app = TestApp(policy: nil, order: .sceneFirst)
        app.system.connect("host") { _ in }
        let root = UIViewController()
        let window = app.window(in: app.system.scene("host"), level: .normal, text: "account 42", root: root)
        window.isHidden = false
        let controller = root.coversWithHost(policy: .init(locksAfter: .zero, locksAtLaunch: false)) { true }
        #expect(app.system.picture(of: "host") == ["account 42"])
        func host(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: nil) }
        host(.NSExtensionHostWillResignActive)
        #expect(app.system.picture(of: "host") == [])
        #expect(app.system.accessibleTexts(of: "host") == ["Go On"])
        host(.NSExtensionHostDidBecomeActive)
        #expect(app.system.picture(of: "host") == ["account 42"] && !controller.screen.isLocked)
        for name in [
            NSNotification.Name.NSExtensionHostWillResignActive, .NSExtensionHostDidEnterBackground,
            .NSExtensionHostWillEnterForeground, .NSExtensionHostDidBecomeActive,
        ] { host(name) }
        #expect(controller.screen.isLocked && app.system.picture(of: "host") == [])
        #expect(await eventually { !controller.screen.isLocked })
        #expect(app.system.picture(of: "host") == ["account 42"])
        withExtendedLifetime(window) {}
    }

    // Rule: an extension's cover is above views that come later | in the order of subviews
    // Rule: an extension's cover ends with its views | its controller held it
    @Test("An extension's cover is above what is added later, and ends with the extension's views")
    func laterViews() {
        let app = TestApp(policy: nil, order: .sceneFirst)
        app.system.connect("host") { _ in }
        let root = UIViewController()
        let window = app.window(in: app.system.scene("host"), level: .normal, text: "account 42", root: root)
        window.isHidden = false
        root.coversWithHost()
        NotificationCenter.default.post(name: .NSExtensionHostWillResignActive, object: nil)
        let late = UILabel()
        late.text = "balance 7"
        root.view.addSubview(late)
        #expect(app.system.picture(of: "host") == [])
        NotificationCenter.default.post(name: .NSExtensionHostDidBecomeActive, object: nil)
        #expect(app.system.picture(of: "host") == ["account 42", "balance 7"])
        weak var cover: UIViewController?
        do {
            let other = UIViewController()
            other.coversWithHost()
            cover = other.children.first
            #expect(cover != nil)
        }
        #expect(cover == nil)
    }

    // MARK: Assistive technology

    // Rule: windows below are hidden from assistive technology | not hidden | three others, StatesTests
    @Test("Assistive technology reaches the cover's button, which has a label, and nothing below")
    func accessibility() async {
        let app = TestApp.started(.init(locksAfter: .seconds(60), locksAtLaunch: false))
        #expect(app.system.accessibleTexts(of: scene).contains("balance 1000"))
        app.mayUnlock = false
        app.controller?.handle(.lockRequested)
        #expect(app.system.accessibleTexts(of: scene) == ["Locked", "Prove that it is you to go on.", "Unlock"])
        await app.unlock()
        #expect(app.system.accessibleTexts(of: scene).contains("balance 1000"))
        #expect(!app.system.accessibleTexts(of: scene).contains("Unlock"))
        app.play(.willDeactivate(0))
        #expect(app.system.accessibleTexts(of: scene) == ["Go On"])
    }

    @Test("The known fault: what is modal in a window of its own hides nothing of another one")
    func modalInAnotherWindow() {
        let app = TestApp(policy: nil, order: .sceneFirst)
        app.play(Lifecycle.all[0])
        let cover = app.window(in: app.system.scene(scene), level: PrivacyScreen.coverLevel, text: "cover")
        cover.rootViewController?.view.accessibilityViewIsModal = true
        cover.isHidden = false
        #expect(app.system.accessibleTexts(of: scene).contains("balance 1000"))
    }

    @Test("What was hidden from assistive technology before is hidden afterwards")
    func hiddenBefore() {
        let app = TestApp.started()
        app.mainWindows[0].accessibilityElementsHidden = true
        app.play(.willDeactivate(0))
        app.play(.didActivate(0))
        #expect(app.mainWindows[0].accessibilityElementsHidden)
    }

    // MARK: What the cover says and leaves

    // Rule: the cover says why | always `.away`; also in the background | also "Assistive technology reaches…"; "No picture shows…", StatesTests
    // Rule: text of any size has room | no Dynamic Type; no scrolling | both cases
    @Test("While recorded it says so, and a touch looks again; every sentence can be as large as the user wants it")
    func recorded() {
        let app = TestApp.started()
        app.system.scene(scene)?.setCaptured(true)
        let said = app.system.accessibleTexts(of: scene)
        #expect(said.first == "Hidden while the screen is shared" && said.last == "Check Again")
        #expect(app.system.controlsUnderFinger(in: scene).count == 2)
        func labels(_ view: UIView) -> [UILabel] {
            [view as? UILabel].compactMap(\.self) + view.subviews.flatMap(labels)
        }
        let controllers = app.system.scene(scene)?.windows.compactMap(\.rootViewController) ?? []
        let cover = controllers.first { $0 is CoverViewController }?.view ?? UIView()
        let shown = labels(cover).filter { !$0.isHidden && $0.text != nil }
        #expect(shown.count == 2)
        #expect(shown.allSatisfy { $0.adjustsFontForContentSizeCategory && $0.numberOfLines == 0 && $0.font != nil })
        #expect(shown.allSatisfy { $0.superview?.superview is UIScrollView }, "the largest text is higher than a phone")
        // The end of the recording went unheard; the touch finds it.
        app.system.scene(scene)?.endCaptureSilently()
        app.system.controlsUnderFinger(in: scene).first?.sendActions(for: .primaryActionTriggered)
        #expect(app.system.picture(of: scene).contains("card 4111"))
    }

    @Test("Recording is heard in the older way, too")
    func recordingByTheScreen() throws {
        let app = TestApp.started()
        let scene = try #require(app.system.scene(scene))
        var reports = 0
        let tokens = ScreenCapture.watch(scene) { _ in reports += 1 }
        scene.setCaptured(true)
        scene.setCaptured(false)
        #expect(reports == 2)
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    // Rule: the cover forwards the status bar, of visible windows | not forwarded; hidden ones too | also "Windows that are hidden…"
    @Test("Status bar, home indicator and orientation stay as the app has them")
    func forwarding() {
        let app = TestApp.started()
        let before = app.system.statusBarController(of: scene)
        #expect(before is TestApp.RootController)
        app.play(.willDeactivate(0))
        let cover = app.system.statusBarController(of: scene)
        #expect(cover is CoverViewController)
        #expect(cover?.prefersStatusBarHidden == true && cover?.preferredStatusBarStyle == .lightContent)
        #expect(cover?.prefersHomeIndicatorAutoHidden == true && cover?.supportedInterfaceOrientations == .portrait)
    }

    // Rule: UIKit's own windows are left alone | the test for them turned round | and twelve others
    @Test("Windows that are hidden, and UIKit's own, decide nothing about the status bar; UIKit's are left as they are")
    func otherWindows() throws {
        let app = TestApp.started()
        app.window(in: app.system.scene(scene), level: .alert, text: "code 123456")
        app.play(.willDeactivate(0))
        let cover = try #require(app.system.statusBarController(of: scene))
        #expect(cover is CoverViewController && cover.prefersStatusBarHidden)
        let own = (app.system.scene(scene)?.windows ?? []).filter { "\(type(of: $0))" == "UITextEffectsWindow" }
        #expect(own.count == 1, "the keyboard was there")
        #expect(own.allSatisfy { $0.isUserInteractionEnabled && !$0.accessibilityElementsHidden })
    }

    // Rule: a scene in another's place is covered anew | taken for the first
    @Test("A scene that takes another's place untold is covered anew, and the first one's late end uncovers nothing")
    func replacedScene() throws {
        let app = TestApp.started()
        app.play(.willDeactivate(0))
        let first = try #require(app.system.scene(scene))
        app.play(.connect(0))
        #expect(app.system.scene(scene) !== first)
        #expect(app.system.picture(of: scene) == ["keyboard"], "it is not active yet")
        app.play(.willEnterForeground(0))
        NotificationCenter.default.post(name: UIScene.didDisconnectNotification, object: first)
        #expect(app.system.picture(of: scene) == ["keyboard"], "it is not active yet")
        app.play(.didActivate(0))
        #expect(app.system.picture(of: scene).contains("card 4111"))
    }

    // Rule: sensitive views are blanked | never | this and "A sensitive view is blanked by…"
    @Test(
        "A sensitive view is blank while its scene is recorded, where the scene isn't covered then; and always without a privacy screen"
    )
    func sensitive() {
        let app = TestApp.started(.init(coversWhenRecorded: false))
        let card = UILabel()
        card.text = "account 42"
        card.isSensitive = true
        card.isSensitive = true
        #expect(card.subviews.count == 1 && card.subviews[0].isHidden == false, "it is in no window yet")
        app.mainWindows[0].rootViewController?.presentedViewController?.view.addSubview(card)
        #expect(app.system.picture(of: scene).contains("account 42"))
        app.system.scene(scene)?.setCaptured(true)
        #expect(!app.system.picture(of: scene).contains("account 42"))
        #expect(app.system.picture(of: scene).contains("card 4111"))
        app.system.scene(scene)?.setCaptured(false)
        #expect(app.system.picture(of: scene).contains("account 42"))
        card.isSensitive = false
        #expect(card.subviews.isEmpty && !card.isSensitive)
        let bare = TestApp(policy: nil, order: .sceneFirst)
        bare.play(Lifecycle.all[0])
        card.isSensitive = true
        bare.mainWindows[0].rootViewController?.presentedViewController?.view.addSubview(card)
        #expect(!bare.system.picture(of: scene).contains("account 42"))
    }

    @Test("A screenshot is told with what it shows")
    func screenshot() {
        let app = TestApp.started()
        var told: [PrivacyScreen.Screenshot] = []
        app.controller?.onScreenshot = { told.append($0) }
        app.system.takeScreenshot()
        #expect(told.map(\.scenes) == [[SceneID(scene)]])
    }

    // Rule: hiding from screenshots says when the system can't | shows it all the same
    @Test("Hiding from screenshots says when the system can't")
    func shield() throws {
        let label = UILabel()
        label.text = "secret"
        let shield = try UnsupportedScreenshotShield(hiding: label)
        #expect(String(describing: type(of: label.superview ?? shield)).hasSuffix("CanvasView"))
        UITextField.hasCanvas = false
        defer { UITextField.hasCanvas = true }
        #expect(throws: UnsupportedScreenshotShield.Unavailable.self) { try UnsupportedScreenshotShield(hiding: label) }
    }

    // MARK: Other displays

    // Rule: the car is no presence | counted | also "A display that mirrors…", StatesTests
    @Test("The car is told as not covered, and doesn't keep the app unlocked")
    func car() {
        let app = TestApp.started(.init(locksAfter: .seconds(60), locksAtLaunch: false))
        app.system.connectCar("car")
        app.system.willEnterForeground("car")
        app.system.didActivate("car")
        #expect(app.controller?.screen.coverage(of: SceneID("car")) == .impossible)
        #expect(app.controller?.screen.kind(of: SceneID("car")) == .withoutWindow)
        for step in [
            LifecycleStep.willDeactivate(0), .didEnterBackground(0), .wait(.seconds(3600)), .willEnterForeground(0),
        ] { app.play(step) }
        #expect(app.controller?.screen.isLocked == true)
    }

    // Rule: a cover without a window is told | not told; mirrored display covered | both cases
    @Test("A display that mirrors is left alone, one with a window of the app's is covered with it")
    func display() {
        let app = TestApp.started()
        app.system.connectDisplay("display")
        #expect(app.controller?.screen.coverage(of: SceneID("display")) == .uncovered)
        #expect(app.system.picture(ofDisplay: "display", beside: scene).contains("card 4111"), "the user is there")
        app.play(.willDeactivate(0))
        app.play(.didEnterBackground(0))
        #expect(app.controller?.screen.coverage(of: SceneID("display")) == .impossible)
        #expect(app.system.picture(ofDisplay: "display", beside: scene) == [], "what it mirrors is covered")
        // The app shows something of its own there, while it is in the background: it is covered as soon as it can be.
        app.window(in: app.system.scene("display"), level: .normal, text: "talk").isHidden = false
        #expect(app.controller?.screen.coverage(of: SceneID("display")) == .covered)
        #expect(app.system.picture(ofDisplay: "display", beside: scene) == [])
        app.play(.willEnterForeground(0))
        app.play(.didActivate(0))
        #expect(app.system.picture(ofDisplay: "display", beside: scene) == ["talk"])
    }

    // Rule: what a display is not told is read from it | never read
    @Test("A display that is told nothing of the app's return is uncovered with it all the same")
    func silentDisplay() {
        let app = TestApp.started()
        app.system.connectDisplay("display") { app.window(in: $0, level: .normal, text: "talk").isHidden = false }
        #expect(app.system.picture(ofDisplay: "display", beside: scene) == ["talk"])
        for step in [LifecycleStep.willDeactivate(0), .didEnterBackground(0)] { app.play(step) }
        #expect(app.system.picture(ofDisplay: "display", beside: scene) == [])
        app.system.returnsSilently = true
        for step in [LifecycleStep.willEnterForeground(0), .didActivate(0)] { app.play(step) }
        #expect(app.system.picture(ofDisplay: "display", beside: scene) == ["talk"])
    }

    @Test("What each kind of scene is told is what SystemFacts.md says")
    func behaviours() throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../../Documentation/SystemFacts.md"), encoding: .utf8)
        let names = [
            UIScene.willConnectNotification, UIScene.willEnterForegroundNotification, UIScene.didActivateNotification,
            UIScene.willDeactivateNotification, UIScene.didEnterBackgroundNotification,
            UIScene.didDisconnectNotification,
        ]
        for kind in SceneBehaviour.allCases {
            let told = names.map { kind.isTold.contains($0) ? "yes" : "no" }
            let cells =
                [kind.rawValue] + told + ["\(kind.stateWhenSeen)", "\(kind.stateWhenLeft)"]
                + [kind.facts.map(String.init).joined(separator: ", ")]
            let row = "| " + cells.joined(separator: " | ") + " |"
            #expect(page.contains(row), "\(row)")
            for fact in kind.facts { #expect(page.contains("\n| \(fact) | "), "\(fact)") }
        }
    }

    // MARK: Time

    // Rule: touches, keys and the pointer are noticed, and taken by none | not watched; the touch taken; typing not observed; the pointer not
    @Test("A touch, a key and the pointer put the lock off, and reach the app as before; nothing for a minute locks")
    func activity() async {
        let app = TestApp.started(.init(locksAfterInactivity: .seconds(60), locksAtLaunch: false))
        app.mayUnlock = false
        let acts: [@MainActor () -> Void] = [
            { #expect(app.system.touch(in: scene) == 0, "no recognizer takes it") },
            { app.system.type("a", in: scene) }, { app.system.movePointer(in: scene) },
        ]
        for (number, act) in acts.enumerated() {
            app.play(.wait(.seconds(40)))
            act()
            app.controller?.handle(.timePassed)
            #expect(app.controller?.screen.isLocked == false, "\(number)")
        }
        #expect(app.fields[0].text == "typed in cleara")
        let windows = app.system.scene(scene)?.windows ?? []
        #expect(windows.contains { "\(type(of: $0))" == "UITextEffectsWindow" && $0.gestureRecognizers == nil })
        for (seconds, isLocked) in [(40, false), (20, true)] {
            app.play(.wait(.seconds(seconds)))
            app.controller?.handle(.timePassed)
            #expect(app.controller?.screen.isLocked == isLocked, "\(seconds)")
        }
        #expect(!app.system.picture(of: scene).contains("card 4111"))
        await app.unlock()
        #expect(app.system.picture(of: scene).contains("card 4111"))
    }

    // Rule: a minimised window on a Mac is away | taken for a phone's
    @Test("A window on a Mac that is minimised for hours, and so inactive and never in the background, is locked")
    func minimised() async {
        for (isOnMac, isLocked) in [(true, true), (false, false)] {
            let app = TestApp(policy: .init(locksAfter: .seconds(60), locksAtLaunch: false), order: .sceneFirst)
            unsafe ProcessInfo.standInIsOnMac = isOnMac
            app.showsAlert = false
            app.play(Lifecycle.all[0])
            app.mayUnlock = false
            for step in [LifecycleStep.willDeactivate(0), .wait(.seconds(7200)), .didActivate(0)] { app.play(step) }
            #expect(app.controller?.screen.isLocked == isLocked)
            #expect(app.system.picture(of: scene).contains("card 4111") != isLocked)
            await app.unlock()
            unsafe ProcessInfo.standInIsOnMac = false
        }
    }

    @Test("Texts are there in ten languages, the English ones as the program says them")
    func texts() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Sources/Screens/InterfaceProtectionUI/Resources/Localizable.xcstrings")
        let catalog = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let strings = try #require(catalog["strings"] as? [String: [String: Any]])
        var values: [String: Set<String>] = [:]
        for (key, entry) in strings {
            let localizations = try #require(entry["localizations"] as? [String: [String: [String: String]]], "\(key)")
            for (language, unit) in localizations {
                let value = unit["stringUnit"]?["value"] ?? ""
                #expect(!value.isEmpty)
                values[language, default: []].insert(value)
            }
        }
        var said: Set<String> = [CoverText.goOn]
        for cause in PrivacyScreen.Cause.allCases {
            guard let text = CoverText(cause) else { continue }
            said.formUnion([text.title, text.message, text.action].compactMap(\.self))
        }
        #expect(values["en"] == said)
        #expect(values.count == 10)
        for (language, texts) in values { #expect(texts.count == said.count, "\(language)") }
    }
}
