// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

@MainActor
@Suite("The privacy screen at work")
struct PrivacyScreenControllerTests {
    final class Host: ScreenHost {
        var log: [String] = []
        var answers: [Bool] = []
        private(set) var waiting: [CheckedContinuation<Bool, Never>] = []

        var isProtectedDataAvailable: Bool?
        var hasWindow = true

        func cover(_ scene: SceneID, with style: CoverStyle) -> Bool {
            guard hasWindow else { return false }
            log.append("cover \(scene)")
            return true
        }
        func takeInput(of scene: SceneID) { log.append("take input \(scene)") }
        func returnInput(of scene: SceneID) { log.append("return input \(scene)") }
        func uncover(_ scene: SceneID) { log.append("uncover \(scene)") }
        func discardCover(of scene: SceneID) { log.append("discard \(scene)") }
        func endEditing(in scene: SceneID) { log.append("end editing \(scene)") }
        func requestUnlock() async -> Bool {
            log.append("unlock?")
            return answers.isEmpty ? false : answers.removeFirst()
        }
    }

    let clock = TestClock()
    let contents = ConfidentialContents()
    let host = Host()
    let scene = SceneID("main")

    private func controller(_ policy: PrivacyScreen.Policy) -> PrivacyScreenController {
        PrivacyScreenController(policy: policy, host: host, contents: contents, now: { [clock] in clock.now })
    }

    /// `isTold`: whether the return is told before the scene is active.
    private func goAway(_ controller: PrivacyScreenController, for time: Duration, isTold: Bool = true) {
        controller.handle(.sceneWillDeactivate(scene))
        controller.handle(.sceneDidEnterBackground(scene))
        clock.advance(by: time)
        if isTold { controller.handle(.sceneWillEnterForeground(scene)) }
        controller.handle(.sceneDidActivate(scene))
    }

    // Rule: cleared before the cover goes | after it | the second form was missing
    @Test(
        "covers before it clears on leaving, and clears what is due before it uncovers on return, told in two steps or in one",
        arguments: [true, false])
    func order(isTold: Bool) throws {
        let controller = controller(.standard)
        controller.handle(.sceneWillConnect(scene))
        controller.handle(.sceneDidActivate(scene))
        host.log = []
        let screen = ConfidentialScreen(policy: .init(backgrounded: .clearAfter(.seconds(10))), in: contents) {
            action in
            MainActor.assumeIsolated { host.log.append("\(action)") }
        }
        goAway(controller, for: .seconds(10), isTold: isTold)
        #expect(
            host.log == ["mask", "cover main", "end editing main", "cover main", "mask", "clear", "uncover main"])
        withExtendedLifetime(screen) {}
    }

    @Test("asks to unlock, and shows nothing before the answer is yes")
    func unlock() async {
        let controller = controller(.init(locksAfter: .seconds(5), locksAtLaunch: false))
        controller.handle(.sceneDidActivate(scene))
        host.answers = [false, true]
        goAway(controller, for: .seconds(5))
        #expect(controller.screen.isLocked)
        while controller.screen.isAuthenticating { await Task.yield() }
        #expect(controller.screen.isLocked)
        #expect(host.log.last == "unlock?")
        controller.handle(.unlockRequested)
        while controller.screen.isAuthenticating { await Task.yield() }
        #expect(!controller.screen.isLocked)
        #expect(host.log.last == "uncover main")
        #expect(host.log.count { $0 == "unlock?" } == 2)
    }

    @Test("asks for protected data before whatever could uncover, however the notifications were missed")
    func protectedDataIsALevel() {
        let controller = controller(.standard)
        controller.handle(.protectedData(isAvailable: false))
        controller.handle(.sceneWillConnect(scene))
        host.isProtectedDataAvailable = true
        controller.handle(.sceneDidActivate(scene))
        #expect(!controller.screen.isCovered(scene))
        host.isProtectedDataAvailable = false
        goAway(controller, for: .seconds(1))
        #expect(controller.screen.cause(of: scene) == .protectedDataUnavailable)
        // A touch on the cover asks again, too.
        host.isProtectedDataAvailable = true
        controller.handle(.unlockRequested)
        #expect(!controller.screen.isCovered(scene))
    }

    @Test("tells a scene without a window as not covered, and covers it as soon as it has one")
    func noWindow() {
        let controller = controller(.standard)
        host.hasWindow = false
        controller.handle(.sceneWillConnect(scene))
        #expect(controller.screen.coverage(of: scene) == .impossible)
        #expect(!controller.screen.isCovered(scene))
        host.hasWindow = true
        controller.handle(.sceneWillEnterForeground(scene))
        #expect(controller.screen.coverage(of: scene) == .covered)
        #expect(host.log == ["cover main"])
    }

    @Test("masks what one scene reveals and leaves the others")
    func masksOneScene() throws {
        let controller = controller(.standard)
        let other = SceneID("other")
        let fields = [scene, other, nil].map { scene in
            let field = SecretField(in: contents, now: { [clock] in clock.now })
            field.scene = scene
            return field
        }
        for field in fields {
            try field.append("secret")
            field.reveal()
        }
        for scene in [scene, other] { controller.handle(.sceneDidActivate(scene)) }
        controller.handle(.sceneWillDeactivate(scene))
        // Of the third nobody knows where it is shown.
        #expect(fields.map(\.isRevealed) == [false, true, false])
    }

    // Rule: a screenshot tells only what it shows | covered scenes too
    @Test("tells the app of a screenshot, and what it shows")
    func screenshot() {
        let controller = controller(.standard)
        var told: [PrivacyScreen.Screenshot] = []
        controller.onScreenshot = { told.append($0) }
        controller.handle(.sceneDidActivate(scene))
        controller.handle(.screenshotTaken)
        controller.handle(.recording(scene, isActive: true))
        controller.handle(.screenshotTaken)
        #expect(told.map(\.scenes) == [[scene], []])
    }

    // Rule: a policy that comes later locks, an older answer unlocks nothing | not; any answer does | also "takes no answer to an older lock"
    @Test("takes a policy over that comes later, and locks by it if nobody has seen anything yet")
    func adopts() {
        let early = controller(.standard)
        early.handle(.sceneWillConnect(scene))
        early.adopt(.init(locksAfter: .seconds(60)))
        #expect(early.screen.isLocked)
        let late = controller(.standard)
        late.handle(.sceneDidActivate(scene))
        late.adopt(.init(covers: .manual, locksAfter: .seconds(60)))
        #expect(!late.screen.isLocked)
        late.handle(.sceneWillDeactivate(scene))
        #expect(!late.screen.isCovered(scene))
        #expect(late.screen.policy.locksAfter == .seconds(60))
    }

    @Test("tells secrets of a lock")
    func lock() throws {
        let controller = controller(.standard)
        let field = SecretField(in: contents, now: { [clock] in clock.now })
        try field.append("secret")
        controller.handle(.lockRequested)
        #expect(field.isEmpty)
    }

    @Test("clears by itself what falls due while the app runs")
    func expiry() async throws {
        let field = SecretField(policy: .init(hidden: .clearAfter(.milliseconds(20))), in: contents)
        try field.append("secret")
        await confirmation { cleared in
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            field.onChange { [weak field] in if field?.isEmpty == true { continuation.yield() } }
            field.handle(.hidden)
            for await _ in stream { break }
            cleared()
        }
        #expect(field.isEmpty)
    }

    // Rule: an app that is not touched is locked in time | no timer
    @Test("locks by itself an app that is active and not touched, and no sooner for a touch")
    func inactivity() async {
        let controller = PrivacyScreenController(
            policy: .init(locksAfterInactivity: .milliseconds(60), locksAtLaunch: false), host: host,
            contents: contents)
        controller.handle(.sceneDidActivate(scene))
        let touched = ContinuousClock.now
        controller.handle(.userActed)
        while !controller.screen.isLocked, ContinuousClock.now - touched < .seconds(10) { await Task.yield() }
        #expect(controller.screen.isLocked)
        #expect(ContinuousClock.now - touched >= .milliseconds(60))
        #expect(controller.screen.isCovered(scene))
        while controller.screen.isAuthenticating { await Task.yield() }
    }

    @Test("knows of the app's own prompts")
    func authenticating() async throws {
        let controller = controller(.init(coversDuringAuthentication: false))
        controller.handle(.sceneDidActivate(scene))
        let isCovered = await controller.authenticating {
            controller.handle(.sceneWillDeactivate(scene))
            return controller.screen.isCovered(scene)
        }
        #expect(!isCovered)
        #expect(!controller.screen.isAuthenticating)
    }
}
