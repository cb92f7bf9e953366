// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import Testing
import UIKit

@testable import InterfaceProtectionUIUnderTest

@MainActor
@Suite("What an app puts above, behind and in front of a cover", .serialized)
struct LevelTests {
    private let scene = "scene 0"

    private func window(of app: TestApp, level: UIWindow.Level, text: String = "code 123456") -> UIWindow {
        app.window(in: app.system.scene(scene), level: level, text: text)
    }

    @Test(
        "No window of the app's is in the picture, whatever its level, shown before or behind the cover",
        arguments: [2001, 10_000, 8_999_999, 9_000_000, 9_000_101, 10_000_000, .greatestFiniteMagnitude] as [CGFloat])
    func highWindows(level: CGFloat) {
        for isLate in [false, true] {
            let app = TestApp.started()
            let alert = window(of: app, level: .init(rawValue: level))
            if !isLate { alert.makeKeyAndVisible() }
            #expect(isLate || app.system.picture(of: scene).contains("code 123456"))
            app.play(.willDeactivate(0))
            app.play(.didEnterBackground(0))
            if isLate { alert.isHidden = false }
            app.play(.snapshot(0))
            #expect(app.pictures.last == [], "late: \(isLate)")
            #expect(app.controller?.screen.coverage(of: SceneID(scene)) == .covered)
            for step in [LifecycleStep.willEnterForeground(0), .didActivate(0)] { app.play(step) }
            #expect(alert.windowLevel.rawValue == level, "it is back where it was")
            #expect(app.system.picture(of: scene).contains("code 123456"))
        }
    }

    @Test("A window that is raised behind the cover is below it again before the picture")
    func raised() {
        let app = TestApp.started()
        let alert = window(of: app, level: .alert)
        alert.isHidden = false
        app.play(.willDeactivate(0))
        alert.windowLevel = .init(rawValue: 9_500_000)
        app.play(.didEnterBackground(0))
        app.play(.snapshot(0))
        #expect(app.pictures.last == [])
        for step in [LifecycleStep.willEnterForeground(0), .didActivate(0)] { app.play(step) }
        #expect(alert.windowLevel.rawValue == 9_500_000)
    }

    @Test("The app's own prompt has its level above the cover, below the keyboard's")
    func promptLevel() {
        let app = TestApp.started(.init(locksAfter: .seconds(60)))
        app.mayUnlock = false
        #expect(PrivacyScreen.promptLevel > PrivacyScreen.coverLevel)
        let prompt = window(of: app, level: PrivacyScreen.promptLevel, text: "passcode")
        prompt.makeKeyAndVisible()
        #expect(prompt.isKeyWindow && prompt.isUserInteractionEnabled)
        #expect(app.system.picture(of: scene).contains("passcode"))
        #expect(app.system.accessibleTexts(of: scene).contains("passcode"))
        // Seen in a debugger; not documented.
        #expect(PrivacyScreen.promptLevel.rawValue + 100 < 10_000_000)
    }

    @Test("A prompt above the cover that goes leaves the keys to the cover")
    func promptGoes() async {
        let app = TestApp.started(.init(locksAfter: .seconds(60), locksAtLaunch: false))
        app.mayUnlock = false
        app.controller?.handle(.lockRequested)
        let prompt = window(of: app, level: PrivacyScreen.promptLevel, text: "passcode?")
        prompt.makeKeyAndVisible()
        #expect(prompt.isKeyWindow)
        prompt.isHidden = true
        #expect(app.system.receiverOfKeys(in: scene) is CoverViewController)
        await app.unlock()
        #expect(app.mainWindows[0].isKeyWindow)
    }

    private final class User {
        var asked = 0
        var mayUnlock = false
    }

    @Test("An app without scenes that hides its window shows a cover when it is locked, which can be touched")
    func hiddenAndLocked() async {
        let app = TestApp(policy: nil, order: .applicationOnly)
        let user = User()
        let controller = PrivacyScreen.install(policy: .init(style: .hideWindow, locksAfter: .seconds(60))) {
            user.asked += 1
            return user.mayUnlock
        }
        controller.handle(.sceneWillConnect(.application))
        for step in Lifecycle.all[0].steps { app.play(step) }
        while user.asked < 1 || controller.screen.isAuthenticating { await Task.yield() }
        #expect(app.delegate.window?.isHidden == false)
        #expect(!app.system.picture(of: scene).contains("balance 1000"))
        user.mayUnlock = true
        app.system.controlsUnderFinger(in: scene).first?.sendActions(for: .primaryActionTriggered)
        while user.asked < 2 || controller.screen.isAuthenticating { await Task.yield() }
        #expect(app.system.picture(of: scene).contains("card 4111"))
        // From who is only away the window is hidden, as before.
        app.play(.willDeactivate(0))
        #expect(app.delegate.window?.isHidden == true)
        app.play(.didActivate(0))
        #expect(app.delegate.window?.isHidden == false)
    }

    @Test("What the app makes of its window while that is covered for being inactive stays")
    func ownChanges() {
        let app = TestApp.started()
        app.play(.willDeactivate(0))
        app.mainWindows[0].isUserInteractionEnabled = false
        app.play(.didActivate(0))
        #expect(!app.mainWindows[0].isUserInteractionEnabled)
    }

    /// Tells who heard it.
    private final class Listener: UIViewController {
        var heard: [String] = []
        override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) { heard.append("press") }
        override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) { heard.append("shake") }
        override func remoteControlReceived(with event: UIEvent?) { heard.append("remote") }
    }

    @Test("Raw keys, a shake and a remote control end at the cover")
    func rawEvents() throws {
        let app = TestApp.started(.init(locksAfter: .seconds(60), locksAtLaunch: false))
        app.mayUnlock = false
        app.controller?.handle(.lockRequested)
        let cover = try #require(app.system.receiverOfKeys(in: scene))
        #expect(cover is CoverViewController)
        // In the place of whatever stands behind the cover in the chain.
        let (listener, inside) = (Listener(), UIViewController())
        listener.addChild(cover as? UIViewController ?? inside)
        #expect(cover.next === listener.view && listener.view.next === listener)
        (cover as? UIViewController)?.addChild(inside)
        for responder in [cover, inside] {
            responder.pressesBegan([UIPress()], with: nil)
            responder.pressesChanged([UIPress()], with: nil)
            responder.pressesEnded([UIPress()], with: nil)
            responder.pressesCancelled([UIPress()], with: nil)
            responder.motionBegan(.motionShake, with: nil)
            responder.motionEnded(.motionShake, with: nil)
            responder.motionCancelled(.motionShake, with: nil)
            responder.remoteControlReceived(with: nil)
        }
        #expect(listener.heard.isEmpty)
        inside.removeFromParent()
        listener.addChild(inside)
        inside.pressesBegan([UIPress()], with: nil)
        inside.motionBegan(.motionShake, with: nil)
        #expect(listener.heard == ["press", "shake"], "without a cover they get there")
    }

    @Test("What is sensitive in a view that scrolls is blank wherever that is scrolled to")
    func scrolled() throws {
        let app = TestApp.started(.init(coversWhenRecorded: false))
        let text = UITextView(frame: CGRect(x: 0, y: 0, width: 390, height: 200))
        text.text = "statement"
        app.mainWindows[0].rootViewController?.presentedViewController?.view.addSubview(text)
        text.isSensitive = true
        #expect(app.system.picture(of: scene).contains("statement"))
        app.system.scene(scene)?.setCaptured(true)
        #expect(!app.system.picture(of: scene).contains("statement"))
        text.contentOffset = CGPoint(x: 0, y: 400)
        #expect(!app.system.picture(of: scene).contains("statement"))
        app.system.scene(scene)?.setCaptured(false)
        #expect(app.system.picture(of: scene).contains("statement"))
    }

    @Test("The known fault: what lies in a view that scrolls moves away with its content")
    func scrolledAway() {
        let app = TestApp.started()
        let text = UITextView(frame: CGRect(x: 0, y: 0, width: 390, height: 200))
        text.text = "statement"
        app.mainWindows[0].rootViewController?.presentedViewController?.view.addSubview(text)
        let blank = UIView(frame: text.bounds)
        (blank.backgroundColor, blank.autoresizingMask) = (.systemBackground, [.flexibleWidth, .flexibleHeight])
        text.addSubview(blank)
        #expect(!app.system.picture(of: scene).contains("statement"))
        text.contentOffset = CGPoint(x: 0, y: 400)
        #expect(app.system.picture(of: scene).contains("statement"))
    }
}
