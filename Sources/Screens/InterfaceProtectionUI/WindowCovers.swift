// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import InterfaceProtection
import UIKit

/// Covers scenes with windows, one for each scene, above everything that an app shows. A window is made at the scene's
/// first cover and kept until the scene goes.
@MainActor
final class WindowCovers: ScreenHost {
    var onTouch: () -> Void = {}

    private struct Known {
        weak var scene: UIWindowScene?
        var cover: UIWindow?
        var style: CoverStyle?
        var isCovered = false
        /// Whether the cover is the key window; `formerKey` was it before.
        var holdsInput = false
        weak var formerKey: UIWindow?
        var shaded: [Shaded] = []
    }
    /// A window below a cover, and its state before.
    private struct Shaded {
        weak var window: UIWindow?
        let wasHiddenFromAccessibility: Bool
        /// nil: not changed. The app may set it to false meanwhile without notice. So it is changed only where keys and
        /// a focus could arrive.
        var wasInteractive: Bool?
        /// nil: not changed.
        var level: UIWindow.Level?
    }
    private var known: [SceneID: Known] = [:]
    private weak var hiddenWindow: UIWindow?
    private var ownCover: (@MainActor () -> UIViewController)?
    private var unlock: @MainActor () async -> Bool

    init(ownCover: (@MainActor () -> UIViewController)?, unlock: @escaping @MainActor () async -> Bool) {
        self.ownCover = ownCover
        self.unlock = unlock
    }

    func take(ownCover: (@MainActor () -> UIViewController)?, unlock: @escaping @MainActor () async -> Bool) {
        self.ownCover = ownCover
        self.unlock = unlock
        guard ownCover != nil else { return }
        // A cover with its former content is remade: now, if it is visible.
        for (scene, state) in known where state.style == .ownView {
            known[scene]?.style = nil
            if state.isCovered { _ = cover(scene, with: .ownView) }
        }
    }

    /// Whether another scene is registered for the session of `scene`.
    func knowsAnother(for scene: UIScene) -> Bool { known[SceneID(scene)].map { $0.scene !== scene } ?? false }

    /// The ID of `scene`, which this registers: at its first notification the scene may not be listed yet.
    func note(_ scene: UIScene) -> SceneID {
        let id = SceneID(scene)
        if let scene = scene as? UIWindowScene, known[id]?.scene !== scene { known[id] = Known(scene: scene) }
        return id
    }

    func requestUnlock() async -> Bool { await unlock() }

    var isProtectedDataAvailable: Bool? { RunningApplication.current?.isProtectedDataAvailable }

    func redact(_ scene: SceneID, isActive: Bool) { RedactionView.update(in: scene) }

    func endEditing(in scene: SceneID) {
        for window in windows(below: scene) { window.endEditing(true) }
    }
}

extension WindowCovers {
    func cover(_ scene: SceneID, with style: CoverStyle) -> Bool {
        if style == .hideWindow {
            hiddenWindow = delegateWindow
            hiddenWindow?.isHidden = true
            return hiddenWindow != nil
        }
        guard let window = cover(of: scene, style) else { return false }
        known[scene, default: Known()].isCovered = true
        UIView.performWithoutAnimation {
            window.alpha = 1
            // Not `makeKeyAndVisible`, which takes the keyboard away from its field. A scene that is only inactive gets
            // it back at once.
            window.isHidden = false
        }
        for below in windows(below: scene) { shade(below) }
        if scene == .application { showHiddenWindow() }
        return true
    }

    func uncover(_ scene: SceneID) {
        if scene == .application { showHiddenWindow() }
        known[scene]?.isCovered = false
        known[scene]?.cover?.isHidden = true
        // The next time it starts without text.
        explain(.away, in: scene)
        unshade(scene)
    }

    func discardCover(of scene: SceneID) {
        uncover(scene)
        known[scene] = nil
    }

    func explain(_ cause: PrivacyScreen.Cause, in scene: SceneID) {
        (known[scene]?.cover?.rootViewController as? CoverViewController)?.explain(cause)
    }

    private func showHiddenWindow() {
        hiddenWindow?.isHidden = false
        hiddenWindow = nil
    }

    /// The usual recipe reads `keyWindow`. That is nil on return, since a hidden window is no longer the key window.
    private var delegateWindow: UIWindow? { RunningApplication.delegateWindow }

    private func cover(of scene: SceneID, _ style: CoverStyle) -> UIWindow? {
        if let window = known[scene]?.cover, known[scene]?.style == style { return window }
        guard let window = known[scene]?.cover ?? makeWindow(for: scene) else { return nil }
        window.windowLevel = PrivacyScreen.coverLevel
        let controller = CoverViewController(
            style: style, content: style == .ownView ? ownCover?() : nil,
            onTouch: { [weak self] in self?.onTouch() })
        controller.behind = { [weak self] in self?.windows(below: scene).last { !$0.isHidden }?.rootViewController }
        window.rootViewController = controller
        known[scene, default: Known()].cover = window
        known[scene]?.style = style
        if known[scene]?.holdsInput == true { controller.takeCommands() }
        return window
    }

    private func makeWindow(for scene: SceneID) -> UIWindow? {
        if scene == .application { return UIWindow.withoutScene() }
        guard let windowScene = known[scene]?.scene else { return nil }
        // A display mirrors the main scene until it gets a window: a cover would start what it is meant to end.
        if SceneKind(windowScene) == .externalDisplay, !windowScene.windows.contains(where: { !$0.isHidden }) {
            return nil
        }
        return UIWindow(windowScene: windowScene)
    }
}

extension WindowCovers {
    func takeInput(of scene: SceneID) {
        guard let cover = known[scene]?.cover else { return }
        if let key = windows(below: scene).first(where: \.isKeyWindow) { known[scene]?.formerKey = key }
        known[scene]?.holdsInput = true
        for below in windows(below: scene) { shade(below) }
        makeKey(cover)
        UIAccessibility.post(notification: .screenChanged, argument: cover.rootViewController?.view)
    }

    func returnInput(of scene: SceneID) {
        known[scene]?.holdsInput = false
        let below = windows(below: scene)
        // The former key window, if it is still there, otherwise the topmost one. No other code makes a window
        // key again.
        let window = below.first { $0 === known[scene]?.formerKey && !$0.isHidden } ?? below.last { !$0.isHidden }
        known[scene]?.formerKey = nil
        window?.makeKey()
        UIAccessibility.post(notification: .screenChanged, argument: nil)
    }

    /// A window became key: it must not be behind a cover that has the keys.
    func keepInput(from window: UIWindow) {
        guard let scene = scene(of: window), let state = known[scene], state.holdsInput, let cover = state.cover,
            cover !== window, !window.isPrompts
        else { return }
        known[scene]?.formerKey = window
        cover.makeKey()
    }

    /// A window is gone, perhaps with the keys, which then go to no other window. The cover takes them back.
    func keepInput(after window: UIWindow) {
        guard let scene = scene(of: window), let state = known[scene], state.holdsInput, let cover = state.cover,
            cover !== window, !windows(below: scene, isAll: true).contains(where: \.isKeyWindow), !cover.isKeyWindow
        else { return }
        makeKey(cover)
    }

    private func makeKey(_ cover: UIWindow) {
        cover.makeKey()
        (cover.rootViewController as? CoverViewController)?.takeCommands()
    }

    /// Moves `window` below its scene's cover, if one is on and `window` belongs there. Hides it from assistive
    /// technology and, while the cover has the keys, from focus changes.
    func shade(_ window: UIWindow) {
        guard let scene = scene(of: window), let state = known[scene], state.isCovered, let cover = state.cover,
            cover !== window, !window.isPrompts, !window.isTheSystems
        else { return }
        var shaded =
            state.shaded.first { $0.window === window }
            ?? Shaded(window: window, wasHiddenFromAccessibility: window.accessibilityElementsHidden)
        window.accessibilityElementsHidden = true
        // Of two windows at the same level, the younger one is above.
        if window.windowLevel.rawValue >= PrivacyScreen.coverLevel.rawValue {
            shaded.level = window.windowLevel
            window.windowLevel = .belowCovers
        }
        if state.holdsInput {
            shaded.wasInteractive = shaded.wasInteractive ?? window.isUserInteractionEnabled
            window.isUserInteractionEnabled = false
        }
        known[scene]?.shaded.removeAll { $0.window === window }
        known[scene]?.shaded.append(shaded)
    }

    private func unshade(_ scene: SceneID) {
        for shaded in known[scene]?.shaded ?? [] {
            guard let window = shaded.window else { continue }
            window.accessibilityElementsHidden = shaded.wasHiddenFromAccessibility
            if let wasInteractive = shaded.wasInteractive { window.isUserInteractionEnabled = wasInteractive }
            if let level = shaded.level, window.windowLevel == .belowCovers { window.windowLevel = level }
        }
        known[scene]?.shaded = []
    }

    func isCover(_ window: UIWindow) -> Bool { known.values.contains { $0.cover === window } }

    /// The app's windows below the cover of a scene, lowest first. UIKit's own are excluded: they contain keyboards,
    /// also that of a prompt above the cover. `isAll` includes the windows of prompts.
    private func windows(below scene: SceneID, isAll: Bool = false) -> [UIWindow] {
        let all = scene == .application ? [delegateWindow].compactMap(\.self) : known[scene]?.scene?.windows ?? []
        let cover = known[scene]?.cover
        return all.filter { $0 !== cover && (isAll || !$0.isPrompts) && !$0.isTheSystems }
            .enumerated().sorted {
                ($0.element.windowLevel.rawValue, $0.offset) < ($1.element.windowLevel.rawValue, $1.offset)
            }
            .map(\.element)
    }

    private func scene(of window: UIWindow) -> SceneID? {
        if let scene = window.windowScene { return SceneID(scene) }
        return known[.application] == nil ? nil : .application
    }
}

extension UIWindow.Level {
    @MainActor fileprivate static var belowCovers: UIWindow.Level {
        UIWindow.Level(rawValue: PrivacyScreen.coverLevel.rawValue - 1)
    }
}

extension UIWindow {
    /// Whether its class is one of UIKit's other than `UIWindow`: for text, for the keyboard. A class written in Swift
    /// has its module before its name.
    var isTheSystems: Bool {
        type(of: self) != UIWindow.self && NSStringFromClass(type(of: self)).hasPrefix("UI")
    }

    /// Whether the window is for one of the app's prompts: only these are above a cover.
    fileprivate var isPrompts: Bool {
        let level = windowLevel.rawValue
        return level > PrivacyScreen.coverLevel.rawValue && level < PrivacyScreen.promptLevel.rawValue + 100
    }
}
#endif
