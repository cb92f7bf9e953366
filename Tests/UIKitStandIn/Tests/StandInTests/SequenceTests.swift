// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import Testing
import UIKit

@testable import InterfaceProtectionUIUnderTest

@MainActor
@Suite("The adapters, through the sequences of the system", .serialized)
struct SequenceTests {
    nonisolated static let policies: [PrivacyScreen.Policy] = [
        .init(), .init(covers: .background), .init(style: .image("logo")),
        .init(locksAfter: .seconds(36_000), locksAtLaunch: false),
        .init(coversDuringAuthentication: false),
    ]

    // Rule: UIKit: the cover's window lies above alerts, editing ends, and a scene in the background is reported | all three undone at once | nine
    //   of eleven sequences; the two others take no picture; also "A cover that the app's own code took away is back before the picture", "The
    //   classic recipe does nothing in an app with scenes …", "Scenes that are there already …", "The cover is the app's own view …"
    @Test(
        "No picture shows content or keyboard, and afterwards the app is as it was", arguments: Lifecycle.variants,
        policies)
    func pictures(lifecycle: Lifecycle, policy: PrivacyScreen.Policy) {
        for order in StandInSystem.Order.allCases where order != .applicationOnly || lifecycle.isOfOneScene {
            let app = TestApp(policy: policy, order: order)
            app.play(lifecycle)
            let cover = policy.style == .blank ? [] : ["image logo"]
            #expect(app.pictures.count == lifecycle.steps.count { if case .snapshot = $0 { true } else { false } })
            #expect(app.pictures.allSatisfy { $0 == cover }, "\(order): \(app.pictures)")
            for scene in 0...1 where app.controller?.screen.phase(of: SceneID(app.name(scene))) == .foregroundActive {
                let seen = app.system.picture(of: app.name(scene))
                #expect(
                    seen.contains("card 4111") && seen.contains("code 123456") && seen.contains("keyboard"), "\(order)")
                #expect(app.system.scene(app.name(scene))?.keyWindow != nil, "\(order)")
            }
        }
    }

    @Test("An app without scenes may hide its delegate's window", arguments: Lifecycle.all.filter(\.isOfOneScene))
    func hideWindow(lifecycle: Lifecycle) {
        let app = TestApp(policy: .init(style: .hideWindow), order: .applicationOnly)
        app.play(lifecycle)
        #expect(app.pictures.allSatisfy { $0.isEmpty })
        let isActive = app.controller?.screen.phase(of: .application) == .foregroundActive
        #expect(app.delegate.window?.isHidden == !isActive)
    }

    @Test("The classic mistake: the window that is hidden through keyWindow never comes back")
    func keyWindowMistake() {
        let app = TestApp(policy: nil, order: .applicationOnly)
        app.delegate.onResign = { UIApplication.shared.keyWindow?.isHidden = true }
        app.delegate.onActive = { UIApplication.shared.keyWindow?.isHidden = false }
        app.play(Lifecycle.all[4])
        #expect(app.pictures.count == 1)
        #expect(UIApplication.shared.keyWindow == nil)
        let seen = app.system.picture(of: "scene 0")
        #expect(!seen.contains("card 4111") && !seen.contains("balance 1000"), "the user is back, and sees nothing")
    }

    @Test(
        "The classic recipe does nothing in an app with scenes; the privacy screen does",
        arguments: [
            StandInSystem.Order.sceneFirst, .applicationFirst,
        ])
    func classicRecipe(order: StandInSystem.Order) {
        let classic = TestApp(policy: nil, order: order)
        classic.delegate.onResign = { classic.delegate.window?.isHidden = true }
        classic.delegate.onActive = { classic.delegate.window?.isHidden = false }
        classic.play(Lifecycle.all[1])
        #expect(classic.pictures.first?.contains("card 4111") == true)
        let app = TestApp(policy: .standard, order: order)
        app.play(Lifecycle.all[1])
        #expect(app.pictures == [[]])
    }

    @Test("Without scenes the classic recipe through the delegate's window holds")
    func classicRecipeWithoutScenes() {
        let classic = TestApp(policy: nil, order: .applicationOnly)
        classic.delegate.onResign = { classic.delegate.window?.isHidden = true }
        classic.delegate.onActive = { classic.delegate.window?.isHidden = false }
        classic.play(Lifecycle.all[4])
        #expect(classic.pictures.first?.contains("card 4111") == false)
        #expect(classic.system.picture(of: "scene 0").contains("card 4111"))
    }

    // Rule: a cover is asserted again | once only | also "gives no action twice…"
    @Test("A cover that the app's own code took away is back before the picture")
    func reasserted() {
        let app = TestApp(policy: .standard, order: .sceneFirst)
        app.play(Lifecycle.all[0])
        app.play(.willDeactivate(0))
        for window in app.system.scene("scene 0")?.windows ?? [] where window.windowLevel.rawValue > 2000 {
            window.isHidden = true
        }
        #expect(app.system.picture(of: "scene 0").contains("card 4111"))
        app.play(.didEnterBackground(0))
        #expect(app.system.picture(of: "scene 0") == [])
    }

    @Test("A scene that is recorded is covered, and uncovered after it")
    func recording() {
        let app = TestApp(policy: .standard, order: .sceneFirst)
        app.play(Lifecycle.all[0])
        app.system.scene("scene 0")?.setCaptured(true)
        #expect(!app.system.picture(of: "scene 0").contains("card 4111"))
        app.system.scene("scene 0")?.setCaptured(false)
        #expect(app.system.picture(of: "scene 0").contains("card 4111"))
    }

    @Test("Scenes that are there already when the screen is installed are covered by their state")
    func lateInstallation() {
        let app = TestApp(policy: nil, order: .sceneFirst)
        app.play(Lifecycle.all[1])
        #expect(app.system.picture(of: "scene 0").contains("card 4111"))
        let controller = PrivacyScreen.install { false }
        #expect(app.system.picture(of: "scene 0") == [])
        // What comes later is taken over, not ignored.
        #expect(
            PrivacyScreen.install(policy: .init(covers: .background, style: .image("logo"))) { false } === controller)
        #expect(controller.screen.policy.covers == .background)
        #expect(app.system.picture(of: "scene 0") == ["image logo"])
    }

    @Test("A lock asks once, and a touch on the cover asks again")
    func unlock() async {
        let app = TestApp(policy: .init(locksAfter: .zero, locksAtLaunch: false), order: .sceneFirst)
        app.play(Lifecycle.all[4])
        #expect(app.system.picture(of: "scene 0").contains("card 4111") == false)
        while app.controller?.screen.isAuthenticating == true { await Task.yield() }
        #expect(app.unlocks == 1)
        #expect(app.system.picture(of: "scene 0").contains("card 4111"))
    }

    // Rule: an own cover is the cover, without a style that asks for it | style left as it is | a blank cover
    @Test("The cover is the app's own view when it has one", arguments: [CoverStyle.blank, .ownView])
    func ownView(style: CoverStyle) {
        let app = TestApp(policy: nil, order: .sceneFirst)
        _ = PrivacyScreen.install(
            policy: .init(style: style),
            ownCover: {
                let controller = UIViewController()
                let label = UILabel()
                label.text = "locked"
                controller.view.addSubview(label)
                return controller
            }, unlock: { false })
        app.play(Lifecycle.all[1])
        #expect(app.pictures == [["locked"]])
    }
}
