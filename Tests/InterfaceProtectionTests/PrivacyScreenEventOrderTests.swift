// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

/// What is told early, late, or in the middle of something else.
@MainActor
@Suite("The privacy screen, told things in unusual orders")
struct PrivacyScreenEventOrderTests {
    let start = ContinuousClock.Instant.now
    let scene = SceneID("main")
    let other = SceneID("other")
    let display = SceneID("display")

    private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// A screen that locks after a minute away, with a scene that is active, and unlocked once already.
    private func active() -> PrivacyScreen {
        var screen = PrivacyScreen(policy: .init(locksAfter: .seconds(60)))
        _ = screen.handle(.sceneWillConnect(scene), at: start)
        for episode in asked(screen.handle(.sceneDidActivate(scene), at: start)) {
            _ = screen.handle(.unlocked(episode), at: start)
        }
        return screen
    }

    private func asked(_ actions: [PrivacyScreen.Action]) -> [LockEpisode] {
        actions.compactMap { if case .requireUnlock(let episode) = $0 { episode } else { nil } }
    }

    @Test("counts as away who has closed the scene that was seen, though another is connected that never was")
    func neverShown() {
        var screen = active()
        _ = screen.handle(.sceneWillConnect(other), at: at(2))
        _ = screen.handle(.sceneDidDisconnect(scene), at: at(3))
        _ = screen.handle(.sceneWillEnterForeground(other), at: at(63))
        #expect(screen.isLocked)
    }

    @Test("doesn't take the connection of the first scene for a time away")
    func slowLaunch() {
        var screen = PrivacyScreen(policy: .init(locksAfter: .zero, locksAtLaunch: false))
        _ = screen.handle(.sceneWillConnect(scene), at: start)
        _ = screen.handle(.sceneReported(scene, .unattached), at: start)
        _ = screen.handle(.sceneDidActivate(scene), at: at(10))
        #expect(!screen.isLocked)
    }

    @Test("asks once for a lock that falls due during a prompt of the app's own, as soon as that is gone")
    func lockDuringOwnPrompt() {
        var screen = active()
        var actions = screen.handle(.authenticationBegan, at: at(1))
        actions += screen.handle(.lockRequested, at: at(2))
        #expect(asked(actions).isEmpty)
        for event in [PrivacyScreen.Event.authenticationEnded, .sceneWillDeactivate(scene), .sceneDidActivate(scene)] {
            actions += screen.handle(event, at: at(3))
        }
        #expect(asked(actions).count == 1)
    }

    @Test("asks once, too, where the app's own prompt led the user away for too long")
    func awayDuringOwnPrompt() {
        var screen = active()
        var actions: [PrivacyScreen.Action] = []
        let away: [(PrivacyScreen.Event, Int)] = [
            (.authenticationBegan, 1), (.sceneWillDeactivate(scene), 2), (.sceneDidEnterBackground(scene), 2),
            (.sceneWillEnterForeground(scene), 200), (.sceneDidActivate(scene), 200), (.authenticationEnded, 201),
            (.sceneWillDeactivate(scene), 202), (.sceneDidActivate(scene), 203),
        ]
        for (event, second) in away { actions += screen.handle(event, at: at(second)) }
        #expect(screen.isLocked && asked(actions).count == 1)
    }

    @Test("doesn't come back by itself with a prompt to unlock that led the user away and was cancelled")
    func cancelledAway() {
        var screen = active()
        var actions = screen.handle(.lockRequested, at: at(1))
        let away: [(PrivacyScreen.Event, Int)] = [
            (.authenticationBegan, 1), (.sceneWillDeactivate(scene), 2), (.sceneDidEnterBackground(scene), 2),
            (.sceneWillEnterForeground(scene), 200), (.sceneDidActivate(scene), 200), (.authenticationEnded, 201),
        ]
        for (event, second) in away { actions += screen.handle(event, at: at(second)) }
        #expect(screen.isLocked && asked(actions).count == 1)
        #expect(asked(screen.handle(.unlockRequested, at: at(202))).count == 1)
    }

    // Rule: what is told of a scene before that is known holds once it is | a recording of an unknown scene
    //   forgotten as it connects
    @Test("keeps what it is told of a scene before that is known, or known for what it is")
    func beforeConnection() {
        for kind in [SceneKind.window, .externalDisplay] {
            var screen = PrivacyScreen()
            _ = screen.handle(.coverRequested(other), at: start)
            _ = screen.handle(.sceneDidActivate(scene), at: start)
            _ = screen.handle(.sceneDidActivate(other), at: start)
            _ = screen.handle(.sceneWillConnect(other, kind: kind), at: start)
            #expect(screen.isCovered(other) && !screen.isCovered(scene), "\(kind)")
            _ = screen.handle(.coverReleased(other), at: start)
            #expect(!screen.isCovered(other), "\(kind)")
        }
        var recorded = PrivacyScreen()
        #expect(recorded.handle(.recording(scene, isActive: true), at: start) == [])
        #expect(recorded.handle(.sceneWillConnect(scene), at: start).contains(.redact(scene, true)))
        _ = recorded.handle(.sceneDidActivate(scene), at: start)
        #expect(recorded.cause(of: scene) == .recorded)
    }

    @Test("takes a cover that is wanted for the whole application for one over every scene, whenever the scenes come")
    func wholeApplication() {
        var screen = PrivacyScreen()
        _ = screen.handle(.coverRequested(.application), at: start)
        for scene in [scene, other] { _ = screen.handle(.sceneDidActivate(scene), at: start) }
        #expect(screen.isCovered(scene) && screen.isCovered(other))
        _ = screen.handle(.coverReleased(.application), at: start)
        #expect(!screen.isCovered(scene) && !screen.isCovered(other))
    }

    @Test("forgets with a scene what was wanted for it")
    func disconnected() {
        var screen = active()
        _ = screen.handle(.coverRequested(scene), at: start)
        _ = screen.handle(.recording(scene, isActive: true), at: start)
        _ = screen.handle(.sceneDidDisconnect(scene), at: start)
        #expect(!screen.isRedacted(scene))
        _ = screen.handle(.sceneDidActivate(scene), at: start)
        #expect(!screen.isCovered(scene))
    }

    // Rule: notifications of the application move the user's windows alone | every scene moved | 2 issues
    @Test("doesn't leave a display covered that hears nothing when the application is active again")
    func displayHearsNothing() {
        for isBackground in [false, true] {
            var screen = active()
            _ = screen.handle(.sceneWillConnect(display, kind: .externalDisplay), at: start)
            _ = screen.handle(.sceneDidActivate(display), at: start)
            _ = screen.handle(.sceneWillDeactivate(scene), at: start)
            _ = screen.handle(.applicationWillResignActive, at: start)
            if isBackground {
                _ = screen.handle(.sceneDidEnterBackground(scene), at: start)
                _ = screen.handle(.applicationDidEnterBackground, at: start)
                #expect(screen.isCovered(display))
                _ = screen.handle(.sceneWillEnterForeground(scene), at: start)
            }
            _ = screen.handle(.sceneDidActivate(scene), at: start)
            _ = screen.handle(.applicationDidBecomeActive, at: start)
            #expect(!screen.isCovered(display) && !screen.isCovered(scene))
        }
    }

    // MARK: With a host

    /// A host that answers when it is told to, and may send an event in the middle of a call.
    private final class Host: ScreenHost {
        var asks = 0
        var withInput: Set<SceneID> = []
        var onCover: () -> Void = {}
        var answers: [CheckedContinuation<Bool, Never>] = []

        func cover(_ scene: SceneID, with style: CoverStyle) -> Bool {
            onCover()
            return true
        }
        func uncover(_ scene: SceneID) {}
        func discardCover(of scene: SceneID) {}
        func endEditing(in scene: SceneID) {}
        func takeInput(of scene: SceneID) { withInput.insert(scene) }
        func returnInput(of scene: SceneID) { withInput.remove(scene) }
        func requestUnlock() async -> Bool {
            asks += 1
            return await withCheckedContinuation { answers.append($0) }
        }

        /// The user answers the prompt, as soon as it is there.
        func answer(_ isRight: Bool) async {
            while answers.isEmpty { await Task.yield() }
            answers.removeFirst().resume(returning: isRight)
        }
    }

    @Test("doesn't ask again after an unlock, however often the cover was touched while the prompt was there")
    func impatience() async {
        let host = Host()
        let controller = PrivacyScreenController(
            policy: .init(locksAfter: .seconds(60)), host: host, contents: ConfidentialContents())
        controller.handle(.sceneDidActivate(scene))
        for _ in 0..<3 { controller.handle(.unlockRequested) }
        await host.answer(true)
        while controller.screen.isAuthenticating { await Task.yield() }
        #expect(!controller.screen.isLocked && host.asks == 1)
    }

    @Test("asks for the lock that fell due while the prompt to an older one was there, which was passed")
    func olderPrompt() async {
        let (host, clock) = (Host(), TestClock())
        let controller = PrivacyScreenController(
            policy: .init(locksAfter: .seconds(60)), host: host, contents: ConfidentialContents(),
            now: { clock.now })
        controller.handle(.sceneDidActivate(scene))
        controller.handle(.sceneDidEnterBackground(scene))
        clock.advance(by: .seconds(300))
        controller.handle(.sceneDidActivate(scene))
        await host.answer(true)
        while host.asks < 2 { await Task.yield() }
        #expect(controller.screen.isLocked)
        await host.answer(true)
        while controller.screen.isAuthenticating { await Task.yield() }
        #expect(!controller.screen.isLocked && host.asks == 2)
    }

    // Rule: an event from within another waits for its end | carried out at once | host and screen disagree on the
    //   last
    @Test("carries an event out that comes from within another after that one: host and screen agree on the last")
    func nested() {
        let host = Host()
        let controller = PrivacyScreenController(host: host, contents: ConfidentialContents())
        controller.handle(.sceneDidActivate(scene))
        host.onCover = {
            host.onCover = {}
            controller.handle(.coverReleased())
        }
        controller.handle(.coverRequested())
        #expect(!controller.screen.isCovered(scene))
        #expect(host.withInput.contains(scene) == controller.screen.holdsInput(scene))
    }
}
