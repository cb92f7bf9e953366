// SPDX-License-Identifier: Apache-2.0

@testable import InterfaceProtection

/// A random life of an app: what the system does to its scenes, each told only what its kind is told
/// (Documentation/SystemFacts.md), what the user does, and how time passes. Beside the privacy screen it keeps its own
/// account of what must hold.
struct SceneHistory {
    enum Platform: CaseIterable { case phone, mac, appExtension }

    struct Scene {
        let id: SceneID
        let kind: SceneKind
        var phase = ScenePhase.unattached
        /// Whether the user has seen it.
        var wasShown = false
        /// Whether a prompt of the app's own made it inactive.
        var isBehindPrompt = false
    }

    let policy: PrivacyScreen.Policy
    let platform: Platform
    private(set) var screen: PrivacyScreen
    private(set) var broken: [String] = []
    private(set) var log: [String] = []
    private(set) var pictures = 0
    private(set) var locks = 0
    private var generator: SplitMix
    private var now = ContinuousClock.Instant.now
    private var scenes: [Scene] = []
    private var made = 0
    private let isSceneFirst: Bool
    private let keepsLog: Bool
    // What the host has done.
    private var covered: Set<SceneID> = []
    private var asked: LockEpisode?
    private var prompts = 0
    // The account of what is due.
    private var awaySince: ContinuousClock.Instant?
    private var lastAct: ContinuousClock.Instant?
    private var wasPresent = false
    private var hasBegun = false
    private var isDue = false
    private var mayLock = false

    static let limits: [Duration?] = [nil, .zero, .seconds(5), .seconds(60)]

    init(seed: UInt64, keepsLog: Bool = false) {
        var generator = SplitMix(state: seed)
        platform = Platform.allCases.randomElement(using: &generator) ?? .phone
        policy = PrivacyScreen.Policy(
            covers: PrivacyScreen.Policy.Moment.allCases.randomElement(using: &generator) ?? .resign,
            locksAfter: Self.limits.randomElement(using: &generator) ?? nil,
            locksAfterInactivity: [nil, .seconds(10), .seconds(60)].randomElement(using: &generator) ?? nil,
            locksAtLaunch: [nil, false].randomElement(using: &generator) ?? nil,
            coversDuringAuthentication: Bool.random(using: &generator))
        isSceneFirst = Bool.random(using: &generator)
        self.keepsLog = keepsLog
        screen = PrivacyScreen(policy: policy)
        (isDue, mayLock) = (policy.isLockedAtLaunch, policy.isLockedAtLaunch)
        self.generator = generator
    }

    /// Plays `steps` random steps, then comes to a rest where nothing may be covered. Stops at the first rule broken.
    mutating func play(steps: Int) {
        for _ in 0..<steps where broken.isEmpty { step() }
        if broken.isEmpty { comeToRest() }
    }

    private func chance(_ one: Int, using generator: inout SplitMix) -> Bool {
        Int.random(in: 0..<one, using: &generator) == 0
    }

    private mutating func step() {
        let number = Int.random(in: 0..<20, using: &generator)
        switch number {
        case 0, 1: connectAny()
        case 2, 3, 4, 5: wait(.milliseconds(Int.random(in: 0...15_000, using: &generator)))
        case 6, 7, 8: act()
        case 9: answerPrompt(Bool.random(using: &generator))
        case 10: if prompts == 0 { ownPrompt() }
        case 11:
            send([.unlockRequested, .screenshotTaken, .lockRequested].randomElement(using: &generator) ?? .timePassed)
        default: moveAny()
        }
    }

    // MARK: The system

    private mutating func connectAny() {
        let kinds: [SceneKind] =
            switch platform {
            case .phone: [.window, .window, .externalDisplay, .withoutWindow]
            case .mac: [.desktopWindow]
            case .appExtension: [.window]
            }
        guard let kind = kinds.randomElement(using: &generator) else { return }
        let most = kind == .window && platform == .phone || kind == .desktopWindow ? 3 : 1
        guard scenes.count(where: { $0.kind == kind }) < most else { return }
        made += 1
        let scene = Scene(id: SceneID("\(kind) \(made)"), kind: kind)
        scenes.append(scene)
        send(.sceneWillConnect(scene.id, kind: kind))
        // The first frame may be drawn from here on.
        if policy.covers != .manual || screen.isLocked { mustBeCovered(scene, "first") }
        // A display is in the foreground with the app.
        if kind == .externalDisplay, isAnyInForeground { enterForeground(scenes.count - 1) }
    }

    private var isAnyInForeground: Bool {
        scenes.contains { $0.kind.isTheUsers && ($0.phase == .foregroundActive || $0.phase == .foregroundInactive) }
    }

    private mutating func moveAny() {
        guard let index = scenes.indices.randomElement(using: &generator) else { return }
        let again = chance(8, using: &generator)
        switch (scenes[index].kind, scenes[index].phase) {
        // It follows the app's windows and the cable, and is never activated.
        case (.externalDisplay, _): if chance(6, using: &generator) { disconnect(index) }
        case (_, .unattached), (_, .background):
            if chance(5, using: &generator) {
                disconnect(index)
            } else if scenes[index].phase == .unattached, chance(4, using: &generator) {
                enterBackground(index)
            } else {
                enterForeground(index)
            }
        case (_, .foregroundInactive):
            // A minimised window stays so for long, and is closed from there.
            if chance(platform == .mac ? 6 : 2, using: &generator) { enterBackground(index) } else { activate(index) }
        case (_, .foregroundActive): deactivate(index)
        }
        if again { repeatLast() }
    }

    private var last: PrivacyScreen.Event?
    private mutating func repeatLast() { if let last { send(last) } }

    private mutating func enterForeground(_ index: Int) {
        move(index, to: .foregroundInactive, by: .sceneWillEnterForeground(scenes[index].id))
        guard scenes[index].kind.isTheUsers else { return }
        for other in scenes.indices
        where scenes[other].kind == .externalDisplay && scenes[other].phase != .foregroundInactive {
            move(other, to: .foregroundInactive, by: .sceneWillEnterForeground(scenes[other].id))
        }
    }

    private mutating func activate(_ index: Int) {
        move(index, to: .foregroundActive, by: .sceneDidActivate(scenes[index].id))
    }

    private mutating func deactivate(_ index: Int) {
        scenes[index].isBehindPrompt = prompts > 0
        move(index, to: .foregroundInactive, by: .sceneWillDeactivate(scenes[index].id))
    }

    private mutating func enterBackground(_ index: Int) {
        move(index, to: .background, by: .sceneDidEnterBackground(scenes[index].id))
        takePicture(of: index)
        guard scenes[index].kind.isTheUsers, !isAnyInForeground else { return }
        for other in scenes.indices where scenes[other].kind == .externalDisplay {
            move(other, to: .background, by: .sceneDidEnterBackground(scenes[other].id))
            takePicture(of: other)
        }
    }

    private mutating func takePicture(of index: Int) {
        guard scenes[index].kind.canBeCovered else { return }
        pictures += 1
        if policy.covers != .manual || screen.isLocked { mustBeCovered(scenes[index], "in a picture") }
    }

    private mutating func disconnect(_ index: Int) {
        let scene = scenes.remove(at: index)
        // Of a scene that is gone nothing more is told.
        last = nil
        account()
        send(.sceneDidDisconnect(scene.id))
    }

    private mutating func move(_ index: Int, to phase: ScenePhase, by event: PrivacyScreen.Event) {
        let before = applicationPhase
        scenes[index].phase = phase
        if phase != .foregroundInactive { scenes[index].isBehindPrompt = false }
        if phase == .foregroundActive { scenes[index].wasShown = true }
        account()
        last = event
        let of = applicationEvent(from: before)
        if isSceneFirst {
            send(event)
            of.map { send($0) }
        } else {
            // Of a return the application is told before its scene: nothing is uncovered yet.
            of.map { send($0, isHalf: true) }
            send(event)
        }
        hasBegun = wasPresent
    }

    private var applicationPhase: ScenePhase {
        if scenes.contains(where: { $0.phase == .foregroundActive }) { return .foregroundActive }
        if scenes.contains(where: { $0.phase == .foregroundInactive }) { return .foregroundInactive }
        return scenes.contains { $0.phase == .background } ? .background : .unattached
    }

    /// An extension has no application.
    private func applicationEvent(from old: ScenePhase) -> PrivacyScreen.Event? {
        let new = applicationPhase
        guard platform != .appExtension, old != new else { return nil }
        return switch (old, new) {
        case (.foregroundActive, .foregroundInactive): .applicationWillResignActive
        case (_, .background): .applicationDidEnterBackground
        case (.background, .foregroundInactive): .applicationWillEnterForeground
        case (_, .foregroundActive): .applicationDidBecomeActive
        default: nil
        }
    }

    // MARK: The user, and time

    /// A touch, a key, the pointer: only an active scene gets one.
    private mutating func act() {
        guard scenes.contains(where: { $0.kind.isTheUsers && $0.phase == .foregroundActive }) else { return }
        account()
        lastAct = now
        note("act")
        send(.userActed)
    }

    private mutating func ownPrompt() {
        prompts += 1
        send(.authenticationBegan)
    }

    private mutating func answerPrompt(_ isRight: Bool) {
        guard prompts > 0 else { return }
        if let asked, isRight {
            account()
            note("the user unlocks \(asked)")
            lastAct = now
            // An answer to an older lock opens nothing.
            if asked == screen.episode { (isDue, mayLock) = (false, false) }
            send(.unlocked(asked))
        }
        asked = nil
        prompts -= 1
        // A Mac's window that is still inactive has been left: nothing else says so.
        if prompts == 0, platform == .mac {
            account()
            for index in scenes.indices where scenes[index].kind == .desktopWindow {
                scenes[index].isBehindPrompt = false
            }
            account()
        }
        send(.authenticationEnded)
    }

    /// Time passes. A program that runs is woken when a lock is due; a suspended one isn't.
    private mutating func wait(_ time: Duration) {
        let end = now + time
        let runs =
            platform == .mac || scenes.contains { $0.phase == .foregroundActive || $0.phase == .foregroundInactive }
        note("wait \(time)")
        while runs, let due = screen.lockDeadline, due <= end {
            now = max(now, due)
            account()
            send(.timePassed)
            guard broken.isEmpty, !(screen.lockDeadline.map { $0 <= now } ?? false) else { break }
        }
        now = end
        account()
        // After all that, a lock that is due in front of the user is on.
        if runs, mayLock, !screen.isLocked { broken.append("not locked in time") }
    }

    // MARK: What must hold

    private var isPresent: Bool {
        scenes.contains { scene in
            switch scene.kind {
            case .window: scene.phase == .foregroundActive || scene.phase == .foregroundInactive
            case .desktopWindow:
                scene.phase == .foregroundActive || (scene.phase == .foregroundInactive && scene.isBehindPrompt)
            default: false
            }
        }
    }

    /// Brings the account up to now: who is away, and whether a lock is due.
    private mutating func account() {
        if let lastAct, let limit = policy.locksAfterInactivity, now - lastAct >= limit { isDue = true }
        if let awaySince, let limit = policy.locksAfter, now - awaySince >= limit {
            // At the latest when the user is back; before, if the program runs meanwhile.
            (mayLock, isDue) = (true, isDue || isPresent)
        }
        mayLock = mayLock || isDue
        if isPresent {
            if awaySince != nil || !wasPresent { lastAct = now }
            (awaySince, wasPresent) = (nil, true)
        } else if wasPresent, awaySince == nil {
            awaySince = now
        }
    }

    private mutating func mustBeCovered(_ scene: Scene, _ moment: String) {
        if scene.kind.canBeCovered, !covered.contains(scene.id) { broken.append("\(scene.id) is bare \(moment)") }
    }

    private mutating func note(_ line: @autoclosure () -> String) { if keepsLog { log.append(line()) } }

    private mutating func send(_ event: PrivacyScreen.Event, isHalf: Bool = false) {
        note("\(event)")
        let asks = perform(screen.handle(event, at: now), of: event)
        if isDue, !screen.isLocked, !isHalf { broken.append("a lock is due, and the app is open") }
        if screen.isLocked {
            isDue = true
            for scene in scenes where screen.phase(of: scene.id) != nil { mustBeCovered(scene, "while locked") }
        }
        broken += screen.brokenInvariants()
        // The prompt comes up.
        if let asks {
            asked = asks
            prompts += 1
            send(.authenticationBegan)
        }
    }

    private mutating func perform(_ actions: [PrivacyScreen.Action], of event: PrivacyScreen.Event) -> LockEpisode? {
        var asks: LockEpisode?
        for action in actions {
            switch action {
            case .cover(let scene, _): covered.insert(scene)
            case .uncover(let id):
                covered.remove(id)
                let scene = scenes.first { $0.id == id }
                let isShown =
                    scene?.phase == .foregroundActive
                    || (scene?.kind == .externalDisplay && scene?.phase == .foregroundInactive)
                if !isShown { broken.append("\(id) is uncovered, and not in front of the user") }
                if isDue { broken.append("\(id) is uncovered though a lock is due") }
            case .discardCover(let scene): covered.remove(scene)
            case .lock:
                locks += 1
                // A launch in the background counts as a time away, though the user has seen nothing.
                if !mayLock, hasBegun, event != .lockRequested { broken.append("locked before it is due") }
            case .requireUnlock(let episode): asks = episode
            default: break
            }
        }
        return asks
    }

    /// All windows come to the front, one after the other, and the user unlocks. Each is told what its kind is told, and
    /// no more; then nothing is covered.
    private mutating func comeToRest() {
        for index in scenes.indices where scenes[index].kind != .externalDisplay {
            if scenes[index].phase == .background || scenes[index].phase == .unattached { enterForeground(index) }
            if scenes[index].phase == .foregroundInactive { activate(index) }
        }
        guard scenes.contains(where: \.kind.isTheUsers) else { return }
        var rounds = 0
        while prompts > 0 || screen.isLocked, broken.isEmpty {
            if prompts > 0 { answerPrompt(true) } else { send(.unlockRequested) }
            rounds += 1
            if rounds > 50 { broken.append("the user can't unlock") }
        }
        for scene in scenes where covered.contains(scene.id) && broken.isEmpty {
            broken.append("\(scene.id) stays covered")
        }
    }
}
