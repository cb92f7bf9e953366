// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
public import InterfaceProtection
public import UIKit

extension UIViewController {
    /// Covers this controller's view, the root of an app extension, by the transitions of the app that shows it. An
    /// extension has no application and no scene, so `PrivacyScreen.install` can't.
    ///
    /// Call it in `viewDidLoad`. A view that is added later is not seen above the cover, but may get touches until the
    /// next transition. What the controller presents is above the cover: dismiss it when the host resigns. The
    /// keyboard goes when the cover is on. `unlock` is that of `install`.
    @discardableResult
    public func coversWithHost(
        policy: PrivacyScreen.Policy = .standard, unlock: @escaping @MainActor () async -> Bool = { false }
    ) -> PrivacyScreenController {
        let cover = ExtensionCover(unlock: unlock)
        addChild(cover)
        fill(with: cover.view)
        cover.didMove(toParent: self)
        return cover.start(policy)
    }
}

/// The cover of an extension: a view above the others of its root controller.
final class ExtensionCover: UIViewController {
    private static let scene = SceneID("extension")
    fileprivate let unlock: @MainActor () async -> Bool
    private var controller: PrivacyScreenController?
    private var observations = Observations()

    /// Ends with the cover, also where the extension's views are dropped as they are.
    private final class Observations {
        var tokens: [any NSObjectProtocol] = []

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    }

    init(unlock: @escaping @MainActor () async -> Bool) {
        self.unlock = unlock
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        view.isHidden = true
        // Above views that are added after it, too.
        view.layer.zPosition = .greatestFiniteMagnitude
        // Of assistive technology it hides its siblings, which are all that the extension shows.
        view.accessibilityViewIsModal = true
        let whole = UIButton(
            type: .custom, primaryAction: UIAction { [weak self] _ in self?.controller?.handle(.unlockRequested) })
        whole.accessibilityLabel = CoverText.goOn
        fill(with: whole)
    }

    /// The host shows the extension now, and is active.
    func start(_ policy: PrivacyScreen.Policy) -> PrivacyScreenController {
        let controller = PrivacyScreenController(policy: policy, host: ExtensionHost(cover: self))
        self.controller = controller
        let scene = Self.scene
        observe(.NSExtensionHostWillEnterForeground, as: .sceneWillEnterForeground(scene))
        observe(.NSExtensionHostDidBecomeActive, as: .sceneDidActivate(scene))
        observe(.NSExtensionHostWillResignActive, as: .sceneWillDeactivate(scene))
        observe(.NSExtensionHostDidEnterBackground, as: .sceneDidEnterBackground(scene))
        for event in [PrivacyScreen.Event.sceneWillConnect(scene), .sceneDidActivate(scene)] {
            controller.handle(event)
        }
        return controller
    }

    private func observe(_ name: Notification.Name, as event: PrivacyScreen.Event) {
        observations.tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                MainActor.assumeIsolated { self?.controller?.handle(event) }
            })
    }

    override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        if parent == nil { observations = Observations() }
    }

    fileprivate func lie() -> Bool {
        guard let root = parent?.view else { return false }
        root.bringSubviewToFront(view)
        view.isHidden = false
        return true
    }
}

/// The cover for its controller, which the cover owns. Without a strong reference the two end with the extension's
/// views.
private final class ExtensionHost: ScreenHost {
    private weak var cover: ExtensionCover?

    init(cover: ExtensionCover) { self.cover = cover }

    func cover(_ scene: SceneID, with style: CoverStyle) -> Bool { cover?.lie() ?? false }

    func uncover(_ scene: SceneID) { cover?.view.isHidden = true }

    func discardCover(of scene: SceneID) { cover?.view.isHidden = true }

    func endEditing(in scene: SceneID) { cover?.parent?.view.endEditing(true) }

    func takeInput(of scene: SceneID) { UIAccessibility.post(notification: .screenChanged, argument: cover?.view) }

    func requestUnlock() async -> Bool { await cover?.unlock() ?? false }
}
#endif
