// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
import Foundation
import InterfaceProtection
import UIKit

/// Covers scenes by windows: one for each scene, above alerts, made as the scene connects and kept until it goes.
@MainActor
final class WindowCovers: ScreenHost {
    var onTouch: () -> Void = {}

    private struct Known {
        weak var scene: UIWindowScene?
        var cover: UIWindow?
    }
    private var known: [SceneID: Known] = [:]
    private weak var hiddenWindow: UIWindow?
    private let ownCover: (@MainActor () -> UIViewController)?
    private let unlock: @MainActor () async -> Bool

    init(ownCover: (@MainActor () -> UIViewController)?, unlock: @escaping @MainActor () async -> Bool) {
        self.ownCover = ownCover
        self.unlock = unlock
    }

    /// The name of `scene`, which is remembered by it: in its first notification it may not be listed yet.
    func note(_ scene: UIScene) -> SceneID {
        let id = SceneID(scene.session.persistentIdentifier)
        if let scene = scene as? UIWindowScene, known[id]?.scene !== scene { known[id] = Known(scene: scene) }
        return id
    }

    func cover(_ scene: SceneID, with style: CoverStyle) {
        if style == .hideWindow {
            hiddenWindow = delegateWindow
            hiddenWindow?.isHidden = true
            return
        }
        guard let window = known[scene]?.cover ?? makeCover(scene, style) else { return }
        known[scene, default: Known()].cover = window
        UIView.performWithoutAnimation {
            window.alpha = 1
            // Not makeKeyAndVisible, which takes the keyboard away from the field that has it.
            window.isHidden = false
        }
    }

    func uncover(_ scene: SceneID) {
        if scene == .application { showHiddenWindow() }
        known[scene]?.cover?.isHidden = true
    }

    func discardCover(of scene: SceneID) {
        if scene == .application { showHiddenWindow() }
        known[scene]?.cover?.isHidden = true
        known[scene] = nil
    }

    private func showHiddenWindow() {
        hiddenWindow?.isHidden = false
        hiddenWindow = nil
    }

    func endEditing(in scene: SceneID) {
        if scene == .application { delegateWindow?.endEditing(true) }
        for window in known[scene]?.scene?.windows ?? [] { window.endEditing(true) }
    }

    func requestUnlock() async -> Bool { await unlock() }

    /// The classic recipe asks for `keyWindow`, which is nil on return, since a hidden window is no longer the key window.
    private var delegateWindow: UIWindow? { UIApplication.shared.delegate?.window.flatMap { $0 } }

    private func makeCover(_ scene: SceneID, _ style: CoverStyle) -> UIWindow? {
        let window: UIWindow
        if scene == .application {
            window = UIWindow(frame: UIScreen.main.bounds)
        } else {
            guard let windowScene = known[scene]?.scene else { return nil }
            window = UIWindow(windowScene: windowScene)
        }
        window.windowLevel = .alert + 1
        window.rootViewController = CoverViewController(
            style: style, content: style == .ownView ? ownCover?() : nil,
            onTouch: { [weak self] in self?.onTouch() })
        return window
    }
}

/// What a cover shows.
final class CoverViewController: UIViewController {
    private let style: CoverStyle
    private let content: UIViewController?
    private let onTouch: () -> Void

    init(style: CoverStyle, content: UIViewController?, onTouch: @escaping () -> Void) {
        self.style = style
        self.content = content
        self.onTouch = onTouch
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        view.accessibilityViewIsModal = true
        if let content {
            addChild(content)
            fill(with: content.view)
            content.didMove(toParent: self)
        } else {
            if case .image(let name) = style { addImage(named: name) }
            fill(with: UIButton(type: .custom, primaryAction: UIAction { [onTouch] _ in onTouch() }))
        }
    }

    private func addImage(named name: String) {
        let image = UIImageView(image: UIImage(named: name))
        image.contentMode = .center
        fill(with: image)
    }

    private func fill(with subview: UIView) {
        subview.frame = view.bounds
        subview.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(subview)
    }
}
#endif
