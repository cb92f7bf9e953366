// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import InterfaceProtection
public import UIKit

extension UIView {
    /// Whether this view is blanked while its scene is recorded, mirrored or shared. This is for screens that stay
    /// visible then (`coversWhenRecorded` false). Without a privacy screen the view is always blank, since nothing
    /// would report a recording.
    ///
    /// A blanked view is invisible. Assistive technology on the device still reads it to the user.
    public var isSensitive: Bool {
        get { redaction != nil }
        set {
            if newValue, redaction == nil {
                let redaction = RedactionView(over: self)
                addSubview(redaction)
                redaction.stayInPlace()
            } else if !newValue {
                redaction?.removeFromSuperview()
            }
        }
    }

    private var redaction: RedactionView? { subviews.lazy.compactMap { $0 as? RedactionView }.first }
}

/// Covers a sensitive view, and is visible while that view must not be.
final class RedactionView: UIView {
    private struct Listed {
        weak var view: RedactionView?
    }
    private static var all: [Listed] = []

    init(over view: UIView? = nil) {
        super.init(frame: view?.bounds ?? .zero)
        autoresizingMask = [.flexibleWidth, .flexibleHeight]
        backgroundColor = .secondarySystemBackground
        isUserInteractionEnabled = false
        layer.zPosition = 1
        Self.all.removeAll { $0.view == nil }
        Self.all.append(Listed(view: self))
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    /// Pins the view to the visible part of a scroll view, whose content would move it away.
    func stayInPlace() {
        guard let seen = (superview as? UIScrollView)?.frameLayoutGuide else { return }
        translatesAutoresizingMaskIntoConstraints = false
        NSLayoutConstraint.activate([
            topAnchor.constraint(equalTo: seen.topAnchor),
            bottomAnchor.constraint(equalTo: seen.bottomAnchor),
            leadingAnchor.constraint(equalTo: seen.leadingAnchor),
            trailingAnchor.constraint(equalTo: seen.trailingAnchor),
        ])
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        update()
    }

    /// Updates all views of `scene` to the state of the privacy screen.
    static func update(in scene: SceneID) {
        for listed in all where listed.view?.scene == scene { listed.view?.update() }
    }

    private var scene: SceneID? { window?.windowScene.map { SceneID($0) } }

    private func update() {
        let screen = LifecycleObserver.installed?.controller.screen
        let isSafe = scene.map { screen?.isRedacted($0) == false } ?? false
        isHidden = isSafe
    }
}
#endif
