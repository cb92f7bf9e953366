// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
import Foundation
import InterfaceProtection
import UIKit

/// Turns the system's notifications into events. It decides nothing.
@MainActor
final class LifecycleObserver {
    /// The one that is at work.
    static var installed: LifecycleObserver?

    let controller: PrivacyScreenController
    private let covers: WindowCovers
    private var tokens: [any NSObjectProtocol] = []

    init(controller: PrivacyScreenController, covers: WindowCovers) {
        self.controller = controller
        self.covers = covers
        covers.onTouch = { [weak controller] in controller?.handle(.unlockRequested) }
    }

    /// Listens from now on, and learns what is the case already.
    func start() {
        observeScenes()
        observeApplication()
        controller.handle(.protectedData(isAvailable: UIApplication.shared.isProtectedDataAvailable))
        for scene in UIApplication.shared.connectedScenes {
            controller.handle(.sceneReported(covers.note(scene), ScenePhase(scene.activationState)))
            watchCapture(of: scene)
        }
    }

    /// Whether the scene is recorded, mirrored or shared: now, and whenever that changes.
    private func watchCapture(of scene: UIScene) {
        guard let scene = scene as? UIWindowScene else { return }
        reportCapture(of: scene)
        scene.registerForTraitChanges([UITraitSceneCaptureState.self]) { [weak self] (scene: UIWindowScene, _) in
            self?.reportCapture(of: scene)
        }
    }

    private func reportCapture(of scene: UIWindowScene) {
        let isActive = scene.traitCollection.sceneCaptureState == .active
        controller.handle(.recording(covers.note(scene), isActive: isActive))
    }

    /// Listens no longer.
    func stop() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        tokens = []
    }

    private func observeScenes() {
        observe(UIScene.willConnectNotification) { .sceneWillConnect($0) }
        add(UIScene.willConnectNotification) { [weak self] scene in scene.map { self?.watchCapture(of: $0) } }
        observe(UIScene.willEnterForegroundNotification) { .sceneWillEnterForeground($0) }
        observe(UIScene.didActivateNotification) { .sceneDidActivate($0) }
        observe(UIScene.willDeactivateNotification) { .sceneWillDeactivate($0) }
        observe(UIScene.didEnterBackgroundNotification) { .sceneDidEnterBackground($0) }
        observe(UIScene.didDisconnectNotification) { .sceneDidDisconnect($0) }
    }

    private func observeApplication() {
        observe(UIApplication.willResignActiveNotification, as: .applicationWillResignActive)
        observe(UIApplication.didBecomeActiveNotification, as: .applicationDidBecomeActive)
        observe(UIApplication.didEnterBackgroundNotification, as: .applicationDidEnterBackground)
        observe(UIApplication.willEnterForegroundNotification, as: .applicationWillEnterForeground)
        observe(UIApplication.protectedDataWillBecomeUnavailableNotification, as: .protectedData(isAvailable: false))
        observe(UIApplication.protectedDataDidBecomeAvailableNotification, as: .protectedData(isAvailable: true))
    }

    private func observe(_ name: Notification.Name, _ event: @escaping @MainActor (SceneID) -> PrivacyScreen.Event) {
        add(name) { [weak self] scene in
            guard let self, let scene else { return }
            controller.handle(event(covers.note(scene)))
        }
    }

    private func observe(_ name: Notification.Name, as event: PrivacyScreen.Event) {
        add(name) { [weak self] _ in self?.controller.handle(event) }
    }

    /// Without a queue: the observer has run when the system's `post` returns, which is before the picture is taken.
    private func add(_ name: Notification.Name, _ handle: @escaping @MainActor @Sendable (UIScene?) -> Void) {
        let center = NotificationCenter.default
        tokens.append(
            center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let scene = notification.object as? UIScene
                MainActor.assumeIsolated { handle(scene) }
            })
    }
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
#endif
