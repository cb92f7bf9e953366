// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
import AppKit
import InterfaceProtection

/// Covers windows with a view above their content: windows, sheets, panels and popovers alike, each with its own.
///
/// Not a window above the window: the Dock's picture of a minimised window has its content alone.
@MainActor
final class DesktopCovers: ScreenHost {
    var onTouch: () -> Void = {}

    private struct Known {
        let id: SceneID
        weak var window: NSWindow?
        var cover: DesktopCover?
        /// nil: not covered.
        var titleVisibility: NSWindow.TitleVisibility?
        weak var formerResponder: NSResponder?
        /// What the app had set; nil: it applies.
        var formerSharing: NSWindow.SharingType?

        /// Gives back what a cover changed of the window itself.
        @MainActor mutating func restore(_ window: NSWindow) {
            if let visibility = titleVisibility { window.titleVisibility = visibility }
            titleVisibility = nil
            window.dockTile.contentView = nil
        }
    }
    private var known: [Known] = []
    private var count = 0
    /// The windows of the passcode screens that are open, each for itself.
    private var prompts: [NSWindow] = []
    private var ownCover: (@MainActor () -> NSViewController)?
    private var unlock: @MainActor () async -> Bool

    init(ownCover: (@MainActor () -> NSViewController)?, unlock: @escaping @MainActor () async -> Bool) {
        self.ownCover = ownCover
        self.unlock = unlock
    }

    /// The application; nil before it is made, as in the initializer of a SwiftUI `App`. `NSApplication.shared` would
    /// make one, of the wrong class if the app names its own.
    static var application: NSApplication? { NSApp }

    func take(ownCover: (@MainActor () -> NSViewController)?, unlock: @escaping @MainActor () async -> Bool) {
        (self.ownCover, self.unlock) = (ownCover, unlock)
    }

    func requestUnlock() async -> Bool { await unlock() }

    /// Nothing: a Mac has no keyboard above its windows, and `takeInput` ends editing.
    func endEditing(in scene: SceneID) {}
}

extension DesktopCovers {
    /// Whether `window` can be seen, also as a tab behind another one, and is neither known nor a prompt's.
    func isNew(_ window: NSWindow) -> Bool {
        (window.isVisible || window.isMiniaturized || window.tabbedWindows != nil) && id(of: window) == nil
            && !isOfPrompt(window) && !window.isStatusItems
    }

    func id(of window: NSWindow) -> SceneID? { known.first { $0.window === window }?.id }

    /// The ID of `window`, which this registers.
    func note(_ window: NSWindow) -> SceneID {
        if let id = id(of: window) { return id }
        for case let old as DesktopCover in window.contentView?.subviews ?? [] { old.end() }
        count += 1
        known.append(Known(id: SceneID("window \(count)"), window: window))
        return known[known.count - 1].id
    }

    /// The windows that were freed without being closed.
    func forgetGone() -> [SceneID] { known.filter { $0.window == nil }.map(\.id) }

    /// Puts covers above views that the app added meanwhile.
    func keepOnTop() {
        for entry in known where entry.titleVisibility != nil {
            guard let cover = entry.cover, let content = entry.window?.contentView else { continue }
            if content.subviews.last !== cover { cover.lie(over: content) }
        }
    }

    /// Keeps the windows from programs that capture by functions older than ScreenCaptureKit, which ignores it. If not
    /// `isKept`, the windows have again what the app had set.
    func keepFromCaptures(_ isKept: Bool) {
        for index in known.indices {
            guard let window = known[index].window, (known[index].formerSharing != nil) != isKept else { continue }
            let former = known[index].formerSharing
            known[index].formerSharing = isKept ? window.sharingType : nil
            window.sharingType = isKept ? .none : former ?? .readOnly
        }
    }

    /// Draws the covers that are on. A picture may be taken as soon as the notification returns. A window that opens in
    /// an active app is covered and uncovered by one signal, and must not flash.
    func draw() {
        for window in known.lazy.filter({ $0.titleVisibility != nil }).compactMap(\.window) {
            window.displayIfNeeded()
            window.dockTile.display()
        }
    }

    func addPrompt(_ window: NSWindow) { prompts.append(window) }

    func removePrompt(_ window: NSWindow) { prompts.removeAll { $0 === window } }

    /// Whether `window` is a passcode screen, or a sheet, panel or popover of one: covered, it could not be answered.
    private func isOfPrompt(_ window: NSWindow) -> Bool {
        var next: NSWindow? = window
        while let one = next {
            if prompts.contains(where: { $0 === one }) { return true }
            next = one.sheetParent ?? one.parent
        }
        return false
    }

    private func update(_ scene: SceneID, _ change: (inout Known, NSWindow) -> Void) {
        guard let index = known.firstIndex(where: { $0.id == scene }), let window = known[index].window else { return }
        change(&known[index], window)
    }
}

extension DesktopCovers {
    func cover(_ scene: SceneID, with style: CoverStyle) -> Bool {
        var isCovered = false
        update(scene) { entry, window in
            guard let content = window.contentView else { return }
            if entry.cover?.style != style { entry.cover?.end() }
            let cover = entry.cover.flatMap { $0.style == style ? $0 : nil } ?? makeCover(style)
            entry.cover = cover
            cover.lie(over: content)
            entry.titleVisibility = entry.titleVisibility ?? window.titleVisibility
            window.titleVisibility = .hidden
            window.dockTile.contentView = NSImageView.ofApplication()
            isCovered = true
        }
        return isCovered
    }

    func uncover(_ scene: SceneID) {
        update(scene) { entry, window in
            entry.cover?.end()
            entry.cover = nil
            entry.restore(window)
        }
    }

    /// Leaves the cover's view where it is: a window that closes is seen a moment longer. `note` takes it off, should
    /// the window be shown again.
    func discardCover(of scene: SceneID) {
        update(scene) { $0.restore($1) }
        known.removeAll { $0.id == scene }
    }

    func explain(_ cause: PrivacyScreen.Cause, in scene: SceneID) {
        update(scene) { entry, _ in entry.cover?.explain(cause) }
    }

    func takeInput(of scene: SceneID) {
        update(scene) { entry, window in
            guard let cover = entry.cover else { return }
            // While a text is edited, the first responder is the window's editor, whose delegate is the field.
            let responder = window.firstResponder
            entry.formerResponder = (responder as? NSText)?.delegate as? NSResponder ?? responder
            if window.makeFirstResponder(cover) { return }
            window.endEditing(for: nil)
            _ = window.makeFirstResponder(cover)
        }
    }

    func returnInput(of scene: SceneID) {
        update(scene) { entry, window in
            _ = window.makeFirstResponder(entry.formerResponder)
            entry.formerResponder = nil
        }
    }

    private func makeCover(_ style: CoverStyle) -> DesktopCover {
        DesktopCover(
            style: style, content: style == .ownView ? ownCover?() : nil, onTouch: { [weak self] in self?.onTouch() })
    }
}

extension NSWindow {
    /// Whether it is the window of an item in the menu bar, which AppKit makes.
    fileprivate var isStatusItems: Bool { NSStringFromClass(type(of: self)) == "NSStatusBarWindow" }
}

extension NSImageView {
    /// What the Dock shows of a covered window.
    fileprivate static func ofApplication() -> NSImageView {
        let view = NSImageView()
        view.image = DesktopCovers.application?.applicationIconImage
        return view
    }
}
#endif
