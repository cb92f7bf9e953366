// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@MainActor
@Suite("The key that an unlock yields")
struct UnlockedKeyTests {
    struct GivenUp: Error {}

    final class Host: ScreenHost {
        var key: UnlockedKey<Secret>?
        var keyWhenCovered: [Bool] = []
        func cover(_ scene: SceneID, with style: CoverStyle) -> Bool {
            keyWhenCovered.append(key?.key != nil)
            return true
        }
        func uncover(_ scene: SceneID) {}
        func discardCover(of scene: SceneID) {}
        func endEditing(in scene: SceneID) {}
        func requestUnlock() async -> Bool { await key?.unlock() ?? false }
    }

    let contents = ConfidentialContents()
    let scene = SceneID("main")

    // Rule: a lock drops the key before the cover is on | kept at a lock
    @Test("is there after the user has proved who it is, and gone with the lock, before the cover is on")
    func life() async throws {
        let host = Host()
        var answers = 0
        let key = UnlockedKey(in: contents) {
            answers += 1
            if answers == 1 { throw GivenUp() }
            return try Secret(copying: "content key".utf8)
        }
        host.key = key
        let controller = PrivacyScreenController(
            policy: .init(locksAfter: .seconds(60)), host: host, contents: contents)
        controller.handle(.sceneDidActivate(scene))
        while controller.screen.isAuthenticating { await Task.yield() }
        #expect(controller.screen.isLocked && key.key == nil)
        controller.handle(.unlockRequested)
        while controller.screen.isAuthenticating { await Task.yield() }
        #expect(!controller.screen.isLocked)
        #expect(try key.key?.text == "content key")
        weak let weakKey = key.key
        host.keyWhenCovered = []
        controller.handle(.lockRequested)
        #expect(key.key == nil && weakKey == nil, "wiped, since nothing else has it")
        #expect(host.keyWhenCovered == [false])
        while controller.screen.isAuthenticating { await Task.yield() }
    }

    @Test("is not held after a lock that comes while the user is asked")
    func lockDuringPrompt() async {
        let host = Host()
        var controller: PrivacyScreenController?
        let key = UnlockedKey(in: contents) {
            controller?.handle(.lockRequested)
            return try Secret(copying: "content key".utf8)
        }
        host.key = key
        controller = PrivacyScreenController(policy: .init(locksAtLaunch: true), host: host, contents: contents)
        controller?.handle(.sceneDidActivate(scene))
        while controller?.screen.isAuthenticating == true { await Task.yield() }
        #expect(controller?.screen.isLocked == true && key.key == nil)
    }

    @Test("is told to a view at each unlock and each lock")
    func told() async {
        let key = UnlockedKey(in: contents) { "key" }
        var keys = key.keys().makeAsyncIterator()
        #expect(await keys.next() == .some(nil))
        _ = await key.unlock()
        #expect(await keys.next() == "key")
        contents.handle(.locked)
        #expect(await keys.next() == .some(nil))
        // What wasn't read in time isn't kept.
        _ = await key.unlock()
        contents.handle(.userChanged)
        #expect(await keys.next() == .some(nil))
    }

    // Rule: a key that comes after a newer lock is dropped | taken
    @Test("is not taken from a prompt that is older than the lock, nor from another user's")
    func older() async {
        for event in [ClearingEvent.locked, .userChanged] {
            let contents = contents
            let key = UnlockedKey(in: contents) {
                contents.handle(event)
                return "key of before"
            }
            #expect(await key.unlock() == false)
            #expect(key.key == nil)
        }
        let kept = UnlockedKey(in: contents) { "key" }
        #expect(await kept.unlock())
        for event in ClearingEvent.allCases where event != .locked && event != .userChanged { contents.handle(event) }
        #expect(kept.key == "key")
    }
}
