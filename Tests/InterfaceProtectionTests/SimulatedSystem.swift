// SPDX-License-Identifier: Apache-2.0

@testable import InterfaceProtection

/// An app under a privacy screen, and a system that moves it about and takes pictures of it. Every scene always shows
/// something confidential, with the keyboard up.
struct SimulatedSystem {
    struct Picture: Equatable {
        let scene: SceneID
        let showsContent: Bool
        let showsKeyboard: Bool
    }

    private(set) var screen: PrivacyScreen
    private(set) var pictures: [Picture] = []
    private(set) var unlockRequests = 0
    private(set) var broken: [String] = []
    private let order: NotificationOrder
    private var now = ContinuousClock.Instant.now
    private var phases: [SceneID: ScenePhase] = [:]
    private var covered: Set<SceneID> = []
    private var keyboards: Set<SceneID> = []
    private var episode: LockEpisode?

    init(policy: PrivacyScreen.Policy, order: NotificationOrder) {
        screen = PrivacyScreen(policy: policy)
        self.order = order
    }

    /// Scenes that are active, and still covered or locked.
    var coversLeftBehind: [SceneID] {
        phases.filter { $0.value == .foregroundActive && covered.contains($0.key) }.map(\.key)
    }

    private func id(_ scene: Int) -> SceneID { order == .applicationOnly ? .application : SceneID("scene \(scene)") }

    mutating func play(_ lifecycle: Lifecycle) {
        for step in lifecycle.steps { play(step) }
    }

    mutating func play(_ step: LifecycleStep) {
        switch step {
        case .connect(let scene): move(id(scene), to: .unattached, by: .sceneWillConnect(id(scene)))
        case .willEnterForeground(let scene):
            move(id(scene), to: .foregroundInactive, by: .sceneWillEnterForeground(id(scene)))
        case .didActivate(let scene): move(id(scene), to: .foregroundActive, by: .sceneDidActivate(id(scene)))
        case .willDeactivate(let scene): move(id(scene), to: .foregroundInactive, by: .sceneWillDeactivate(id(scene)))
        case .didEnterBackground(let scene): move(id(scene), to: .background, by: .sceneDidEnterBackground(id(scene)))
        case .disconnect(let scene): move(id(scene), to: nil, by: .sceneDidDisconnect(id(scene)))
        case .snapshot(let scene): takePicture(of: id(scene))
        case .protectedData(let isAvailable): send(.protectedData(isAvailable: isAvailable))
        case .wait(let time): now += time
        case .promptAppears: send(.authenticationBegan)
        case .promptEnds: send(.authenticationEnded)
        }
    }

    /// The user passes the prompt that the app shows, if it shows one; and asks for another if a lock fell due behind it.
    mutating func unlock() {
        while let episode {
            self.episode = nil
            send(.authenticationEnded)
            send(.unlocked(episode))
            if screen.isLocked { send(.unlockRequested) }
        }
    }

    private mutating func takePicture(of scene: SceneID) {
        pictures.append(
            Picture(
                scene: scene, showsContent: !covered.contains(scene), showsKeyboard: keyboards.contains(scene)))
    }

    private mutating func move(_ scene: SceneID, to phase: ScenePhase?, by event: PrivacyScreen.Event) {
        let before = applicationPhase
        phases[scene] = phase
        keyboards.insert(scene)
        let applicationEvent = Self.applicationEvent(from: before, to: applicationPhase)
        switch order {
        case .sceneFirst:
            send(event)
            applicationEvent.map { send($0) }
        case .applicationFirst:
            applicationEvent.map { send($0) }
            send(event)
        case .applicationOnly:
            if case .sceneWillConnect = event { send(event) }
            applicationEvent.map { send($0) }
        }
        // An app with the manual policy does it by itself, from the same notifications.
        guard screen.policy.covers == .manual else { return }
        if phase == .background { send(.coverRequested(scene)) }
        if phase == .foregroundActive { send(.coverReleased(scene)) }
    }

    /// Unattached is an app that is being launched.
    private var applicationPhase: ScenePhase {
        if phases.values.contains(.foregroundActive) { return .foregroundActive }
        if phases.values.contains(.foregroundInactive) { return .foregroundInactive }
        return phases.values.contains(.background) ? .background : .unattached
    }

    private static func applicationEvent(from old: ScenePhase, to new: ScenePhase) -> PrivacyScreen.Event? {
        switch (old, new) {
        case (.foregroundActive, .foregroundInactive): .applicationWillResignActive
        case (_, .background) where old != new: .applicationDidEnterBackground
        case (.background, .foregroundInactive): .applicationWillEnterForeground
        case (_, .foregroundActive) where old != new: .applicationDidBecomeActive
        default: nil
        }
    }

    mutating func send(_ event: PrivacyScreen.Event) {
        for action in screen.handle(event, at: now) {
            switch action {
            case .cover(let scene, _): covered.insert(scene)
            case .uncover(let scene):
                if phases[scene] != .foregroundActive { broken.append("uncovered \(scene) while it is not active") }
                covered.remove(scene)
            case .discardCover(let scene): covered.remove(scene)
            case .endEditing(let scene): keyboards.remove(scene)
            case .maskSecrets, .lock, .explain, .takeInput, .returnInput, .redact, .reportScreenshot: break
            case .requireUnlock(let episode):
                unlockRequests += 1
                self.episode = episode
                _ = screen.handle(.authenticationBegan, at: now)
            }
        }
        broken += screen.brokenInvariants()
    }
}
