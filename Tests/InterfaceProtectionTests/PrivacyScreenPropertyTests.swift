// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import InterfaceProtection

@Suite("The privacy screen under any events at all")
struct PrivacyScreenPropertyTests {
    /// The rules that a host sees, without a look inside the state machine.
    struct Witness {
        var covered: Set<SceneID> = []
        var holding: Set<SceneID> = []
        var asked = 0
        /// How often it may have asked: once for each lock, each stay in the background and each request.
        var reasonsToAsk = 0

        mutating func see(
            _ actions: [PrivacyScreen.Action], of event: PrivacyScreen.Event, _ screen: PrivacyScreen
        ) -> [String] {
            var broken: [String] = []
            if [.unlockRequested, .lockRequested].contains(event) || screen.backgroundSince != nil {
                reasonsToAsk += 1
            }
            for action in actions {
                switch action {
                case .cover(let scene, _): covered.insert(scene)
                case .takeInput(let scene):
                    if !covered.contains(scene) { broken.append("took the keys of what is not covered") }
                    if !holding.insert(scene).inserted { broken.append("took the keys twice") }
                case .returnInput(let scene):
                    if holding.remove(scene) == nil { broken.append("returned keys that it had not") }
                case .uncover(let scene):
                    if holding.contains(scene) { broken.append("uncovered before the keys were returned") }
                    if screen[scene]?.isShown != true { broken.append("uncovered while not shown") }
                    if !covered.contains(scene) { broken.append("uncovered what was not covered") }
                    if screen.isLocked { broken.append("uncovered while locked") }
                    covered.remove(scene)
                case .discardCover(let scene):
                    covered.remove(scene)
                    holding.remove(scene)
                case .lock: reasonsToAsk += 1
                case .requireUnlock:
                    if screen.isAuthenticating { broken.append("asked on top of a prompt") }
                    if !screen.isLocked { broken.append("asked without a lock") }
                    asked += 1
                    if asked > reasonsToAsk { broken.append("asked without a reason") }
                case .endEditing, .maskSecrets, .explain, .redact, .reportScreenshot: break
                }
            }
            if case .coverFailed(let scene) = event {
                covered.remove(scene)
                holding.remove(scene)
            }
            for scene in screen.scenes where scene.isCovered != covered.contains(scene.id) {
                broken.append("the host and the screen disagree about \(scene.id)")
            }
            if case .sceneDidEnterBackground(let scene) = event, screen.policy.covers != .manual,
                !covered.contains(scene),
                screen.phase(of: scene) != nil, screen.kind(of: scene) != .withoutWindow
            {
                broken.append("a picture would show \(scene)")
            }
            return broken + screen.brokenInvariants()
        }
    }

    static let policies: [PrivacyScreen.Policy] = [
        .standard,
        .init(covers: .background, locksAfter: .seconds(30)),
        .init(locksAfter: .zero, locksAfterInactivity: .seconds(120)),
        .init(covers: .manual, locksAfter: .zero, locksAtLaunch: false),
        .init(
            locksAfter: .seconds(5), coversWhenRecorded: false, coversDuringAuthentication: false, hidesKeyboard: false),
    ]

    @Test("keeps its rules through 10,000 random events", arguments: policies, [1, 2, 3] as [UInt64])
    func random(policy: PrivacyScreen.Policy, seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        var screen = PrivacyScreen(policy: policy)
        var witness = Witness()
        witness.reasonsToAsk = screen.isLocked ? 1 : 0
        var now = ContinuousClock.Instant.now
        for step in 0..<10_000 {
            now += .milliseconds(Int.random(in: 0...20_000, using: &generator))
            let event = Self.event(of: screen, using: &generator)
            let broken = witness.see(screen.handle(event, at: now), of: event, screen)
            try #require(broken.isEmpty, "seed \(seed), step \(step), \(event)")
            // The same again changes nothing that can be seen.
            let again = screen.handle(event, at: now)
            let repeated = witness.see(again, of: event, screen)
            try #require(repeated.isEmpty, "seed \(seed), step \(step), \(event) again")
            if ![.lockRequested, .unlockRequested, .authenticationBegan, .authenticationEnded, .screenshotTaken]
                .contains(event)
            {
                try #require(again.allSatisfy(Self.isHarmless), "seed \(seed), step \(step), \(event) again: \(again)")
            }
        }
        // From anywhere: once the scenes say that they are active and the user has unlocked, nothing is covered.
        for _ in 0...20_000 where screen.isAuthenticating { _ = screen.handle(.authenticationEnded, at: now) }
        let last: [PrivacyScreen.Event] =
            screen.scenes.map { .sceneWillConnect($0.id, kind: .window) } + [
                .protectedData(isAvailable: true), .coverReleased(), .unlocked(screen.episode),
            ]
            + screen.scenes.flatMap { [.recording($0.id, isActive: false), .sceneDidActivate($0.id)] }
            + [.unlocked(screen.episode)]
        for event in last { _ = screen.handle(event, at: now) }
        _ = screen.handle(.unlocked(screen.episode), at: now)
        #expect(screen.scenes.allSatisfy { !$0.isCovered })
    }

    private static func isHarmless(_ action: PrivacyScreen.Action) -> Bool {
        switch action {
        case .cover, .endEditing: true
        default: false
        }
    }

    private static func event(of screen: PrivacyScreen, using generator: inout SplitMix) -> PrivacyScreen.Event {
        let scene = [SceneID("a"), SceneID("b"), .application].randomElement(using: &generator) ?? .application
        let phase = ScenePhase.allCases.randomElement(using: &generator) ?? .background
        let older = LockEpisode(number: Int.random(in: 0...max(1, screen.episode.number), using: &generator))
        let events: [PrivacyScreen.Event] = [
            .sceneWillConnect(scene), .sceneWillEnterForeground(scene), .sceneDidActivate(scene),
            .sceneDidActivate(scene),
            .sceneWillDeactivate(scene), .sceneDidEnterBackground(scene), .sceneDidEnterBackground(scene),
            .sceneDidDisconnect(scene), .sceneReported(scene, phase), .applicationWillResignActive,
            .applicationDidBecomeActive, .applicationDidEnterBackground, .applicationWillEnterForeground,
            .protectedData(isAvailable: Bool.random(using: &generator)), .protectedData(isAvailable: true),
            .recording(scene, isActive: Bool.random(using: &generator)), .authenticationBegan, .authenticationEnded,
            .sceneWillConnect(scene, kind: SceneKind.allCases.randomElement(using: &generator) ?? .window),
            .coverFailed(scene), .screenshotTaken, .userActed, .timePassed, .policyChanged(screen.policy),
            .authenticationEnded, .coverRequested(), .coverRequested(scene), .coverReleased(), .coverReleased(scene),
            .lockRequested, .unlockRequested,
            .unlocked(older), .unlocked(screen.episode), .unlocked(screen.episode),
        ]
        return events.randomElement(using: &generator) ?? .coverReleased()
    }
}

/// A generator whose seed can be printed and used again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
