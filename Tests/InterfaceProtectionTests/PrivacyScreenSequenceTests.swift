// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

@Suite("The privacy screen through the life of an app")
struct PrivacyScreenSequenceTests {
    static let policies: [PrivacyScreen.Policy] = PrivacyScreen.Policy.Moment.allCases.flatMap { moment in
        [
            PrivacyScreen.Policy(covers: moment),
            PrivacyScreen.Policy(covers: moment, locksAfter: .zero, locksAtLaunch: false),
            PrivacyScreen.Policy(covers: moment, locksAtLaunch: true),
            PrivacyScreen.Policy(covers: moment, locksAfter: .seconds(60)),
            PrivacyScreen.Policy(covers: moment, coversDuringAuthentication: false),
            PrivacyScreen.Policy(covers: moment, style: .hideWindow),
        ]
    }

    // Rule: a cover comes off when its scene is active, not before | in the foreground, active or not | policy `background`; also "keeps its rules
    //   through 10,000 random events" (every policy), "with the manual policy covers on request …"
    // Rule: the keyboard goes with the content | editing never ended | ten of eleven sequences; also "covers before it clears on leaving …"
    @Test("No picture shows content or keyboard, and no cover is left behind", arguments: Lifecycle.variants, policies)
    func pictures(lifecycle: Lifecycle, policy: PrivacyScreen.Policy) {
        for order in NotificationOrder.allCases where order != .applicationOnly || lifecycle.isOfOneScene {
            var system = SimulatedSystem(policy: policy, order: order)
            system.play(lifecycle)
            let expected = lifecycle.steps.count { if case .snapshot = $0 { true } else { false } }
            #expect(system.pictures.count == expected)
            #expect(system.pictures.allSatisfy { !$0.showsContent && !$0.showsKeyboard }, "\(order)")
            system.unlock()
            #expect(system.coversLeftBehind.isEmpty, "\(order)")
            #expect(system.unlockRequests <= (policy.isLockedAtLaunch ? 2 : 1), "\(order)")
            #expect(!system.screen.isLocked, "\(order)")
            #expect(system.broken.isEmpty, "\(order)")
        }
    }

    @Test("A user who stays longer than allowed unlocks once", arguments: [5, 6, 7, 8, 11], NotificationOrder.allCases)
    func lock(number: Int, order: NotificationOrder) throws {
        let lifecycle = try #require(Lifecycle.all.first { $0.number == number })
        var system = SimulatedSystem(policy: .init(locksAfter: .seconds(1), locksAtLaunch: false), order: order)
        system.play(lifecycle)
        #expect(system.unlockRequests == 1)
        #expect(system.screen.isLocked)
        #expect(!system.coversLeftBehind.isEmpty)
        // The prompt makes the scene inactive; when it is gone the scene is active again. Twice, since the user fails once.
        for step in [LifecycleStep.willDeactivate(0), .didActivate(0), .willDeactivate(0), .didActivate(0)] {
            system.play(step)
        }
        #expect(system.unlockRequests == 1)
        system.unlock()
        #expect(system.coversLeftBehind.isEmpty)
        #expect(!system.screen.isLocked)
    }

    @Test("A prompt or an alert never locks, however short the time", arguments: NotificationOrder.allCases)
    func noLoop(order: NotificationOrder) {
        var system = SimulatedSystem(policy: .init(locksAfter: .zero, locksAtLaunch: false), order: order)
        for step in [LifecycleStep.connect(0), .willEnterForeground(0), .didActivate(0)] { system.play(step) }
        for _ in 0..<100 {
            for step in [
                LifecycleStep.promptAppears, .willDeactivate(0), .wait(.seconds(9)), .promptEnds, .didActivate(0),
            ] {
                system.play(step)
            }
        }
        #expect(system.unlockRequests == 0)
        #expect(system.coversLeftBehind.isEmpty)
    }

    // Rule: who was asked to unlock is not asked again by itself | asked at every event | also "asks to unlock, and shows nothing before the answer
    //   is yes", "keeps its rules through 10,000 random events"
    @Test("A failed attempt is not asked for again by itself, even if the prompt put the app in the background")
    func noLoopThroughTheBackground() {
        var system = SimulatedSystem(policy: .init(locksAfter: .zero, locksAtLaunch: false), order: .sceneFirst)
        system.play(Lifecycle.all[4])
        #expect(system.unlockRequests == 1)
        for _ in 0..<10 {
            // The prompt is another app's: ours goes to the background and comes back, and the user has given up.
            for step in [
                LifecycleStep.willDeactivate(0), .didEnterBackground(0), .snapshot(0), .willEnterForeground(0),
            ] {
                system.play(step)
            }
            system.play(.didActivate(0))
        }
        #expect(system.unlockRequests == 1)
        system.send(.authenticationEnded)
        #expect(system.unlockRequests == 1)
        #expect(!system.pictures.contains { $0.showsContent })
        system.send(.unlockRequested)
        #expect(system.unlockRequests == 2)
    }

    @Test("While the finger is up in the switcher, only the policy that covers at once hides the content")
    func switcher() {
        for (moment, isCovered) in [(PrivacyScreen.Policy.Moment.resign, true), (.background, false)] {
            var system = SimulatedSystem(policy: .init(covers: moment), order: .sceneFirst)
            system.play(Lifecycle.all[0])
            system.play(.willDeactivate(0))
            #expect(system.screen.isCovered(SceneID("scene 0")) == isCovered)
        }
    }
}
