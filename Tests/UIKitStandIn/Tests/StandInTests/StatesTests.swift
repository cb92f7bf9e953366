// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import Testing
import UIKit

@testable import InterfaceProtectionUIUnderTest

/// Writes Documentation/CoverStates.md from what the adapters do against the stand-in, and compares.
@MainActor
@Suite("The table of states", .serialized)
struct StatesTests {
    enum Step {
        case life(LifecycleStep)
        case launch
        case unlock
        case kill
        case car
        case display
        case displayWindow
        case lookAtDisplay
        case record(Bool)
        case protectedDataSilently
        case touch
        case idle

        var name: String {
            switch self {
            case .life(let step): "\(step)".replacingOccurrences(of: "StandInTests.LifecycleStep.", with: "")
            case .launch: "the application is there"
            case .unlock: "the user unlocks"
            case .kill: "swiped away, started anew"
            case .car: "CarPlay connects and is active"
            case .display: "a display is connected, and mirrors"
            case .displayWindow: "the app shows a window on the display"
            case .lookAtDisplay: "the display then"
            case .record(let isOn): isOn ? "recording begins" : "recording ends"
            case .protectedDataSilently: "data can be read, untold"
            case .touch: "a touch"
            case .idle: "nothing for 5 minutes"
            }
        }
    }

    struct Story {
        let name: String
        let steps: [Step]
        var isLaunched = true
        var isOnMac = false
    }

    static let stories: [Story] = {
        let cold: [Step] = Lifecycle.all[0].steps.map(Step.life) + [.unlock]
        let home = [LifecycleStep.willDeactivate(0), .didEnterBackground(0), .snapshot(0)].map(Step.life)
        func open(_ lifecycle: Lifecycle) -> [Step] {
            // Whatever starts as a cold start is unlocked first, as its user would.
            let isCold = lifecycle.steps.starts(with: Lifecycle.all[0].steps)
            return isCold ? cold + lifecycle.steps.dropFirst(3).map(Step.life) : lifecycle.steps.map(Step.life)
        }
        return Lifecycle.all.map { Story(name: "\($0)", steps: open($0)) } + [
            Story(name: "12 cold start after a kill", steps: cold + home + [.kill] + cold),
            Story(
                name: "13 installed in an `App.init`", steps: [.launch] + cold, isLaunched: false),
            Story(
                name: "14 prewarmed, and nobody tells when data can be read",
                steps: [
                    .launch, .life(.protectedData(false)), .life(.connect(0)), .life(.didEnterBackground(0)),
                    .life(.snapshot(0)),
                ]
                    + [.protectedDataSilently, .life(.willEnterForeground(0)), .life(.didActivate(0)), .unlock],
                isLaunched: false),
            Story(
                name: "15 an hour with CarPlay",
                steps: cold + [.car] + home + [
                    .life(.wait(.seconds(3600))), .life(.willEnterForeground(0)), .life(.didActivate(0)), .unlock,
                ]),
            Story(
                name: "16 an external display",
                steps: cold + [.display, .displayWindow, home[0], .lookAtDisplay, home[1], home[2], .lookAtDisplay] + [
                    .life(.willEnterForeground(0)), .life(.didActivate(0)), .lookAtDisplay,
                ]),
            Story(
                name: "17 two scenes",
                steps: cold + [.life(.connect(1)), .life(.willEnterForeground(1)), .life(.didActivate(1))] + home),
            Story(
                name: "18 recording",
                steps: cold + [.record(true), .life(.willDeactivate(0)), .life(.didActivate(0)), .record(false)]),
            Story(name: "19 left alone", steps: cold + [.life(.wait(.seconds(200))), .touch, .idle, .unlock]),
            Story(
                name: "20 minimised on a Mac",
                steps: cold + [
                    .life(.willDeactivate(0)), .life(.wait(.seconds(7200))), .life(.didActivate(0)), .unlock,
                ], isOnMac: true),
        ]
    }()

    @Test("is what Documentation/CoverStates.md says")
    func table() async throws {
        var page = Self.head
        for story in Self.stories { page += try await rows(of: story) }
        page += await gestures()
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Documentation/CoverStates.md").standardizedFileURL
        if ProcessInfo.processInfo.environment["ZAMOK_WRITE_PAGES"] != nil {
            try page.write(to: file, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: file, encoding: .utf8)
        #expect(written == page, "ZAMOK_WRITE_PAGES=1 writes it anew")
    }

    private static let head = """
        # The cover through the life of an app

        Written by `StatesTests` (Tests/UIKitStandIn) from what the adapters do against the stand-in, under the policy that covers when a scene resigns and locks after 60 s away, and 5 minutes without a touch; every test run compares. *Covered* is what the picture of the
        window tree shows, which is also compared with what the privacy screen says; it and the others are of the scene that the step names, at the step's end. *Keys go to*: the key window while the scene is active; a scene that isn't active gets none. *Assistive technology reaches*: the cover alone, or the app. A step called
        `snapshot` is when the system takes its picture: it must show the cover. The first eleven are the sequences of the system, each begun by a user who unlocks.

        """

    private func rows(of story: Story) async throws -> String {
        let policy = PrivacyScreen.Policy(locksAfter: .seconds(60), locksAfterInactivity: .seconds(300))
        var app = TestApp(policy: policy, order: .sceneFirst, isLaunched: story.isLaunched)
        app.mayUnlock = false
        unsafe ProcessInfo.standInIsOnMac = story.isOnMac
        var page =
            "\n## \(story.name)\n\n| step | covered | keys go to | assistive technology reaches | locked |\n|---|---|---|---|---|\n"
        for step in story.steps {
            var scene = "scene 0"
            switch step {
            case .life(let step):
                app.play(step)
                scene = app.name(step.scene ?? 0)
            case .launch: app.system.launch()
            case .unlock:
                await app.unlock()
                app.mayUnlock = false
            case .kill:
                app.mayUnlock = true
                app = TestApp(policy: policy, order: .sceneFirst)
                app.mayUnlock = false
            case .car:
                app.system.connectCar("car")
                app.system.didActivate("car")
                scene = "car"
            case .display:
                app.system.connectDisplay("display")
                scene = "display"
            case .displayWindow:
                app.window(in: app.system.scene("display"), level: .normal, text: "talk").isHidden = false
                scene = "display"
            case .lookAtDisplay: scene = "display"
            case .record(let isOn): app.system.scene(scene)?.setCaptured(isOn)
            case .protectedDataSilently: app.system.setProtectedData(isAvailable: true, silently: true)
            case .touch: app.system.touch(in: scene)
            case .idle:
                app.time.advance(by: .seconds(300))
                app.controller?.handle(.timePassed)
            }
            page += row(step.name, scene, app)
            if case .life(.snapshot) = step { #expect(app.pictures.last == [], "\(story.name)") }
        }
        // No task is left waiting for a user who never comes.
        app.mayUnlock = true
        while app.controller?.screen.isAuthenticating == true { await Task.yield() }
        return page
    }

    private func row(_ step: String, _ scene: String, _ app: TestApp) -> String {
        "| \(step) | \(cells(scene, app).joined(separator: " | ")) |\n"
    }

    /// Covered, as the picture shows it and the screen says it; where keys go; what is reached; whether it is locked.
    private func cells(_ scene: String, _ app: TestApp) -> [String] {
        let screen = try? #require(app.controller).screen
        let content = ["balance 1000", "card 4111", "code 123456", "talk"]
        let picture =
            scene == "display" ? app.system.picture(ofDisplay: scene, beside: "scene 0") : app.system.picture(of: scene)
        let isSeen = picture.contains(where: content.contains)
        let claim = screen?.coverage(of: SceneID(scene)) ?? .impossible
        #expect(claim != (isSeen ? .covered : .uncovered), "\(scene): \(picture)")
        let isThere = app.system.scene(scene) != nil || scene != "scene 0"
        let covered = claim == .impossible ? (isThere ? "can't be" : "-") : isSeen ? "no" : "yes"
        let receiver = app.system.receiverOfKeys(in: scene)
        let keys = receiver.map { $0 is CoverViewController ? "the cover" : "the app" } ?? "-"
        let texts = app.system.accessibleTexts(of: scene)
        let reached = texts.contains(where: content.contains) ? "the app" : texts.isEmpty ? "-" : "the cover"
        return [covered, keys, reached, screen?.isLocked == true ? "yes" : "no"]
    }

    /// What gestures do to a field on the screen that they move, and what an app that leaves in the middle of one looks like.
    private func gestures() async -> String {
        var page =
            "\n## Gestures\n\n| gesture | step | the field | covered | keys go to | assistive technology reaches | locked |\n|---|---|---|---|---|---|---|\n"
        for name in ["back-swipe", "drag of a sheet"] {
            for (ending, isCancelled) in [("called off", true), ("finished", false)] {
                let (app, navigation, field) = await appWithGesture(isSheet: name != "back-swipe")
                func note(_ step: String) {
                    let state = field.isEmpty ? "cleared" : field.isRevealed ? "shown" : "kept, masked"
                    page += "| \(name), \(ending) | \(step) | \(state) "
                    page += "| \(cells("scene 0", app).joined(separator: " | ")) |\n"
                }
                note("revealed")
                let transition = name == "back-swipe" ? navigation.beginBackSwipe() : navigation.beginDrag()
                note("the finger is down")
                app.play(.willDeactivate(0))
                note("willDeactivate(0)")
                app.play(.didActivate(0))
                transition.end(isCancelled: isCancelled)
                note(ending)
            }
        }
        return page
    }

    /// An app, unlocked, that shows a screen with a revealed field, which a gesture is about to move.
    private func appWithGesture(isSheet: Bool) async -> (TestApp, UINavigationController, SecretField) {
        let app = TestApp(policy: .init(locksAfter: .seconds(60)), order: .sceneFirst)
        app.showsAlert = false
        app.play(Lifecycle.all[0])
        await app.unlock()
        let field = SecretField(in: app.contents)
        let (root, screen) = (UIViewController(), UIViewController())
        screen.clears(field)
        let navigation = UINavigationController(rootViewController: root)
        let label = UILabel()
        label.text = "balance 1000"
        navigation.view.addSubview(label)
        let window = app.mainWindows[0]
        window.isHidden = true
        window.rootViewController = navigation
        window.makeKeyAndVisible()
        if isSheet {
            navigation.present(screen, animated: false)
        } else {
            navigation.pushViewController(screen, animated: false)
        }
        try? field.append("secret")
        field.reveal(for: .seconds(600))
        return (app, navigation, field)
    }
}

extension LifecycleStep {
    /// The scene that it is about; nil: the whole app.
    fileprivate var scene: Int? {
        switch self {
        case .connect(let scene), .willEnterForeground(let scene), .didActivate(let scene), .willDeactivate(let scene),
            .didEnterBackground(let scene), .disconnect(let scene), .snapshot(let scene):
            scene
        case .protectedData, .wait, .promptAppears, .promptEnds: nil
        }
    }
}
