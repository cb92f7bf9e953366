// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import InterfaceProtection
import UIKit

/// Translates the system's notifications into events, without decisions of its own.
@MainActor
final class LifecycleObserver {
    /// The active observer.
    static var installed: LifecycleObserver?

    let controller: PrivacyScreenController
    let covers: WindowCovers
    private var tokens: [any NSObjectProtocol] = []
    private var knowsApplication = false
    private lazy var activity = UserActivity { [weak self] in self?.userActed() }

    init(controller: PrivacyScreenController, covers: WindowCovers) {
        self.controller = controller
        self.covers = covers
        covers.onTouch = { [weak self] in self?.userAsks() }
    }

    /// Starts observing, and reads the present state now or as soon as there is an application.
    func start() {
        add(UIApplication.didFinishLaunchingNotification) { _ in }
        observeScenes()
        observeApplication()
        observeWindows()
        learn()
    }

    /// Stops observing.
    func stop() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        tokens = []
    }

    private func learn() {
        guard !knowsApplication, let application = RunningApplication.current else { return }
        knowsApplication = true
        controller.handle(.protectedData(isAvailable: application.isProtectedDataAvailable))
        for scene in application.connectedScenes {
            controller.handle(.sceneReported(introduce(scene), ScenePhase(scene.activationState)))
            for window in (scene as? UIWindowScene)?.windows ?? [] { activity.watch(window) }
        }
    }

    private func userActed() {
        // Without such a time a touch changes nothing.
        if controller.screen.policy.locksAfterInactivity != nil { controller.handle(.userActed) }
    }

    /// Registers a scene before any event about it.
    private func introduce(_ scene: UIScene) -> SceneID {
        // Another scene had this session, and no notification reported its end: its cover is gone with it.
        if covers.knowsAnother(for: scene) { controller.handle(.sceneDidDisconnect(SceneID(scene))) }
        let id = covers.note(scene)
        if controller.screen.phase(of: id) == nil {
            controller.handle(.sceneWillConnect(id, kind: SceneKind(scene)))
            if let scene = scene as? UIWindowScene { watchCapture(of: scene) }
        }
        return id
    }

    /// The user touched the cover: the condition that it waits for may have changed unnoticed.
    private func userAsks() {
        for scene in RunningApplication.current?.connectedScenes ?? [] {
            if let scene = scene as? UIWindowScene { reportCapture(of: scene) }
        }
        controller.handle(.unlockRequested)
    }

    /// Reports whether the scene is recorded, mirrored or shared: now, and at each change.
    private func watchCapture(of scene: UIWindowScene) {
        reportCapture(of: scene)
        let report: @MainActor (UIWindowScene) -> Void = { [weak self] in self?.reportCapture(of: $0) }
        if #available(iOS 17, macCatalyst 17, *) {
            scene.registerForTraitChanges([UITraitSceneCaptureState.self]) { (scene: UIWindowScene, _) in
                report(scene)
            }
        } else {
            tokens += ScreenCapture.watch(scene, report)
        }
    }

    private func reportCapture(of scene: UIWindowScene) {
        controller.handle(.recording(covers.note(scene), isActive: scene.isRecorded))
    }

    private func observeScenes() {
        observe(UIScene.willConnectNotification) { .sceneWillConnect($0, kind: SceneKind($1)) }
        observe(UIScene.willEnterForegroundNotification) { scene, _ in .sceneWillEnterForeground(scene) }
        observe(UIScene.didActivateNotification) { scene, _ in .sceneDidActivate(scene) }
        observe(UIScene.willDeactivateNotification) { scene, _ in .sceneWillDeactivate(scene) }
        observe(UIScene.didEnterBackgroundNotification) { scene, _ in .sceneDidEnterBackground(scene) }
        observe(UIScene.didDisconnectNotification) { scene, _ in .sceneDidDisconnect(scene) }
    }

    private func observeApplication() {
        observe(UIApplication.willResignActiveNotification, as: .applicationWillResignActive)
        observe(UIApplication.didBecomeActiveNotification, as: .applicationDidBecomeActive)
        observe(UIApplication.didEnterBackgroundNotification, as: .applicationDidEnterBackground)
        observe(UIApplication.willEnterForegroundNotification, as: .applicationWillEnterForeground)
        observe(UIApplication.protectedDataWillBecomeUnavailableNotification, as: .protectedData(isAvailable: false))
        observe(UIApplication.protectedDataDidBecomeAvailableNotification, as: .protectedData(isAvailable: true))
        observe(UIApplication.userDidTakeScreenshotNotification, as: .screenshotTaken)
    }

    private func observeWindows() {
        add(UIWindow.didBecomeVisibleNotification) { [weak self] window in
            (window as? UIWindow).map { self?.appeared($0) }
        }
        for name in UserActivity.typing { add(name) { [weak self] _ in self?.userActed() } }
        add(UIWindow.didBecomeKeyNotification) { [weak self] window in
            (window as? UIWindow).map { self?.covers.keepInput(from: $0) }
        }
        add(UIWindow.didBecomeHiddenNotification) { [weak self] window in
            (window as? UIWindow).map { self?.covers.keepInput(after: $0) }
        }
    }

    /// A window that appears below a cover must be unreachable. A scene that had no window can be covered now.
    private func appeared(_ window: UIWindow) {
        covers.shade(window)
        activity.watch(window)
        guard let scene = window.windowScene, !covers.isCover(window) else { return }
        let id = introduce(scene)
        if controller.screen.coverage(of: id) == .impossible {
            controller.handle(.sceneReported(id, ScenePhase(scene.activationState)))
        }
    }

    private func observe(
        _ name: Notification.Name, _ event: @escaping @MainActor @Sendable (SceneID, UIScene) -> PrivacyScreen.Event
    ) {
        add(name) { [weak self] scene in
            guard let self, let scene = scene as? UIScene else { return }
            if name != UIScene.didDisconnectNotification {
                controller.handle(event(introduce(scene), scene))
                if name == UIScene.didActivateNotification { reportDisplays() }
            } else if !covers.knowsAnother(for: scene) {
                // A scene that is gone is not registered again, and must not affect the one in its place.
                controller.handle(event(SceneID(scene), scene))
            }
        }
    }

    /// No notification need reach the scene of a display when the user is back: its state is read.
    private func reportDisplays() {
        for scene in RunningApplication.current?.connectedScenes ?? [] where SceneKind(scene) == .externalDisplay {
            controller.handle(.sceneReported(introduce(scene), ScenePhase(scene.activationState)))
        }
    }

    private func observe(_ name: Notification.Name, as event: PrivacyScreen.Event) {
        add(name) { [weak self] _ in self?.controller.handle(event) }
    }

    /// Without a queue: the observer runs before the system's `post` returns, and so before the picture is taken.
    private func add(_ name: Notification.Name, _ handle: @escaping @MainActor @Sendable (UIResponder?) -> Void) {
        let center = NotificationCenter.default
        tokens.append(
            center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
                let subject = notification.object as? UIResponder
                MainActor.assumeIsolated {
                    self?.learn()
                    handle(subject)
                }
            })
    }
}

extension SceneID {
    @MainActor
    init(_ scene: UIScene) { self.init(scene.session.persistentIdentifier) }
}

extension ScenePhase {
    init(_ state: UIScene.ActivationState) {
        self =
            switch state {
            case .unattached: .unattached
            case .foregroundActive: .foregroundActive
            case .foregroundInactive: .foregroundInactive
            case .background: .background
            @unknown default: .background
            }
    }
}

extension SceneKind {
    @MainActor
    init(_ scene: UIScene) {
        let role = scene.session.role
        if !(scene is UIWindowScene) {
            self = .withoutWindow
        } else {
            // By name, since some systems with windows lack these roles. The second is from before iOS 16.
            let displays = [
                "UIWindowSceneSessionRoleExternalDisplayNonInteractive", "UIWindowSceneSessionRoleExternalDisplay",
            ]
            let own = RunningApplication.isOnMac ? SceneKind.desktopWindow : .window
            self = displays.contains(role.rawValue) ? .externalDisplay : own
        }
    }
}
#endif
