// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import InterfaceProtection

@Suite("The privacy screen")
struct PrivacyScreenTests {
    let scene = SceneID("main")
    let start = ContinuousClock.Instant.now

    private func active(_ policy: PrivacyScreen.Policy = .standard) -> PrivacyScreen {
        var screen = PrivacyScreen(policy: policy)
        for event in [
            PrivacyScreen.Event.sceneWillConnect(scene), .sceneWillEnterForeground(scene), .sceneDidActivate(scene),
        ] {
            _ = screen.handle(event, at: start)
        }
        return screen
    }

    @Test("covers a scene as it connects, before there is content")
    func connect() {
        var screen = PrivacyScreen()
        #expect(screen.handle(.sceneWillConnect(scene), at: start) == [.cover(scene, .blank)])
        #expect(screen.handle(.sceneWillEnterForeground(scene), at: start) == [])
        #expect(screen.handle(.sceneDidActivate(scene), at: start) == [.uncover(scene)])
    }

    @Test("gives no action twice, except the cover in the background, which is asserted again")
    func idempotent() {
        var screen = active()
        #expect(screen.handle(.sceneWillDeactivate(scene), at: start) == [.maskSecrets(scene), .cover(scene, .blank)])
        #expect(screen.handle(.sceneWillDeactivate(scene), at: start) == [])
        #expect(screen.handle(.applicationWillResignActive, at: start) == [])
        let again: [PrivacyScreen.Action] = [.endEditing(scene), .cover(scene, .blank)]
        #expect(screen.handle(.sceneDidEnterBackground(scene), at: start) == again)
        #expect(screen.handle(.applicationDidEnterBackground, at: start) == again)
    }

    @Test("is not uncovered by the application's word while its scene is silent")
    func applicationNeverUncovers() {
        var screen = active()
        _ = screen.handle(.sceneWillDeactivate(scene), at: start)
        #expect(screen.handle(.applicationDidBecomeActive, at: start) == [])
        #expect(screen.handle(.applicationWillEnterForeground, at: start) == [])
        #expect(screen.isCovered(scene))
        #expect(screen.handle(.sceneReported(scene, .foregroundActive), at: start) == [.uncover(scene)])
    }

    @Test("covers while recorded, and only then, in an active scene")
    func recording() {
        var screen = active()
        #expect(screen.handle(.recording(scene, isActive: true), at: start) == [.cover(scene, .blank)])
        #expect(screen.handle(.recording(scene, isActive: false), at: start) == [.uncover(scene)])
        var lenient = active(.init(coversWhenRecorded: false))
        #expect(lenient.handle(.recording(scene, isActive: true), at: start) == [])
    }

    @Test("stays covered while protected data can't be read")
    func protectedData() {
        var screen = active()
        let actions = screen.handle(.protectedData(isAvailable: false), at: start)
        #expect(actions == [.maskSecrets(scene), .cover(scene, .blank)])
        #expect(screen.handle(.protectedData(isAvailable: true), at: start) == [.uncover(scene)])
    }

    @Test("with the manual policy covers on request and on nothing else")
    func manual() {
        var screen = active(.init(covers: .manual))
        #expect(screen.handle(.sceneWillDeactivate(scene), at: start) == [.maskSecrets(scene)])
        #expect(screen.handle(.coverRequested(scene), at: start) == [.cover(scene, .blank)])
        #expect(screen.handle(.coverReleased(), at: start) == [])
        #expect(screen.handle(.sceneDidActivate(scene), at: start) == [.uncover(scene)])
    }

    @Test("hides the delegate's window only in apps without scenes")
    func hideWindow() {
        var screen = PrivacyScreen(policy: .init(style: .hideWindow))
        #expect(screen.handle(.applicationWillResignActive, at: start) == [.cover(.application, .hideWindow)])
        let actions = screen.handle(.sceneWillConnect(scene), at: start)
        #expect(actions == [.discardCover(.application), .cover(scene, .blank)])
    }

    @Test(
        "locks after the time in the background, not a moment before", arguments: [(59, false), (60, true), (61, true)])
    func locksAfter(seconds: Int, isLocked: Bool) {
        var screen = active(.init(locksAfter: .seconds(60)))
        _ = screen.handle(.sceneWillDeactivate(scene), at: start)
        // Inactive for an hour counts for nothing.
        let left = start + .seconds(3600)
        _ = screen.handle(.sceneDidEnterBackground(scene), at: left)
        let actions = screen.handle(.sceneWillEnterForeground(scene), at: left + .seconds(seconds))
        #expect(actions == (isLocked ? [.lock(LockEpisode(number: 1))] : []))
        let activation = screen.handle(.sceneDidActivate(scene), at: left + .seconds(seconds))
        #expect(activation == [isLocked ? .requireUnlock(LockEpisode(number: 1)) : .uncover(scene)])
    }

    @Test("counts the background of the app, not of one scene beside an active one")
    func locksTheApp() {
        var screen = active(.init(locksAfter: .seconds(60)))
        let other = SceneID("other")
        _ = screen.handle(.sceneReported(other, .foregroundActive), at: start)
        _ = screen.handle(.sceneDidEnterBackground(scene), at: start)
        _ = screen.handle(.sceneDidActivate(scene), at: start + .seconds(100))
        #expect(!screen.isLocked)
    }

    @Test("takes no answer to an older lock")
    func episodes() {
        var screen = active()
        #expect(screen.handle(.lockRequested, at: start).contains(.requireUnlock(LockEpisode(number: 1))))
        #expect(screen.handle(.lockRequested, at: start).contains(.requireUnlock(LockEpisode(number: 2))))
        #expect(screen.handle(.unlocked(LockEpisode(number: 1)), at: start) == [])
        #expect(screen.isLocked)
        #expect(screen.handle(.unlocked(LockEpisode(number: 2)), at: start) == [.uncover(scene)])
    }

    @Test("leaves the content visible behind its own prompt if the policy says so, and covers it when the user leaves")
    func ownPrompt() {
        var screen = active(.init(coversDuringAuthentication: false))
        _ = screen.handle(.authenticationBegan, at: start)
        #expect(screen.handle(.sceneWillDeactivate(scene), at: start) == [.maskSecrets(scene)])
        #expect(screen.handle(.authenticationEnded, at: start) == [])
        #expect(
            screen.handle(.sceneDidEnterBackground(scene), at: start) == [.endEditing(scene), .cover(scene, .blank)])
    }
}
