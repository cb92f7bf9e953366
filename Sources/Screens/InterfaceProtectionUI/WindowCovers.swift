// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import InterfaceProtection
import UIKit

/// Covers scenes by windows: one for each scene, above all that an app shows, made as the scene connects and kept until it goes.
@MainActor
final class WindowCovers: ScreenHost {
    var onTouch: () -> Void = {}

    private struct Known {
        weak var scene: UIWindowScene?
        var cover: UIWindow?
        var style: CoverStyle?
        var isCovered = false
        /// The cover is the key window; this one was.
        var holdsInput = false
        weak var formerKey: UIWindow?
        var shaded: [Shaded] = []
    }
    /// A window below a cover, and what it was before.
    private struct Shaded {
        weak var window: UIWindow?
        let wasHiddenFromAccessibility: Bool
        /// nil: not changed. The app may set it to false meanwhile without our knowing, so it is changed only where keys and a focus can come.
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
        // A cover with its former content is made again: now, where it can be seen.
        for (scene, state) in known where state.style == .ownView {
            known[scene]?.style = nil
            if state.isCovered { _ = cover(scene, with: .ownView) }
        }
    }

    /// Whether another scene is known for the session of `scene`.
    func knowsAnother(for scene: UIScene) -> Bool { known[SceneID(scene)].map { $0.scene !== scene } ?? false }

    /// The name of `scene`, which is remembered by it: in its first notification it may not be listed yet.
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
            // Not makeKeyAndVisible, which takes the keyboard away from the field that has it: a scene that is only inactive has it again at once.
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
        // The next time it begins with nothing to say.
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

    /// The classic recipe asks for `keyWindow`, which is nil on return, since a hidden window is no longer the key window.
    private var delegateWindow: UIWindow? { RunningApplication.current?.delegate?.window.flatMap { $0 } }

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
        // A display shows what the main scene shows, until a window is put there: a cover would begin what it is to end.
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
        // The one that had it, if it is still there; nobody else gives a key window back.
        let window = below.first { $0 === known[scene]?.formerKey && !$0.isHidden } ?? below.last { !$0.isHidden }
        known[scene]?.formerKey = nil
        window?.makeKey()
        UIAccessibility.post(notification: .screenChanged, argument: nil)
    }

    /// A window has become key: not behind a cover that has the keys.
    func keepInput(from window: UIWindow) {
        guard let scene = scene(of: window), let state = known[scene], state.holdsInput, let cover = state.cover,
            cover !== window, !window.isPrompts
        else { return }
        known[scene]?.formerKey = window
        cover.makeKey()
    }

    /// A window has gone, perhaps with the keys, which nobody gives to another: the cover takes them back.
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

    /// Makes sure that `window`, if it belongs below a cover that is on, is there, and is hidden from assistive technology and, while the cover
    /// has the keys, from what moves a focus.
    func shade(_ window: UIWindow) {
        guard let scene = scene(of: window), let state = known[scene], state.isCovered, let cover = state.cover,
            cover !== window, !window.isPrompts, !window.isTheSystems
        else { return }
        var shaded =
            state.shaded.first { $0.window === window }
            ?? Shaded(window: window, wasHiddenFromAccessibility: window.accessibilityElementsHidden)
        window.accessibilityElementsHidden = true
        // Of two windows of one level the younger one is above.
        if window.windowLevel >= PrivacyScreen.coverLevel {
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

    /// The app's windows in a scene that a cover lies over, the lowest first. UIKit's own are left alone: a keyboard lives in them, that of a
    /// prompt above the cover, too. `isAll`: those of prompts as well.
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
    /// Whether it is for a prompt of the app's: the only ones above a cover.
    fileprivate var isPrompts: Bool {
        let level = windowLevel.rawValue
        return level > PrivacyScreen.coverLevel.rawValue && level < PrivacyScreen.promptLevel.rawValue + 100
    }

    /// Whether it is of a class of UIKit's other than UIWindow: for text, for the keyboard. A class that is written in Swift has its module in
    /// front of its name.
    fileprivate var isTheSystems: Bool {
        type(of: self) != UIWindow.self && NSStringFromClass(type(of: self)).hasPrefix("UI")
    }
}
#endif
