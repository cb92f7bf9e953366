// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
public import AppKit
public import InterfaceProtection

extension PrivacyScreen {
    /// Puts a Mac app under a privacy screen: every window, sheet, panel and popover that exists, and every later one.
    ///
    /// Call it in `applicationWillFinishLaunching(_:)` or in the initializer of a SwiftUI `App`. A later call returns
    /// the same controller, and its policy, cover and `unlock` apply from then on.
    ///
    /// With `.resign`, windows are covered as soon as another app is active, although the user may still look at them.
    /// With `.background` they are covered only in the Dock, while the app is hidden, and while the screens are asleep
    /// or locked or another user's. The time of `locksAfter` runs whenever the app is not active, and
    /// `locksAfterInactivity` counts keys, clicks and the pointer in the app.
    ///
    /// A cover is above the content of its window. Title bar and toolbar stay: the title is hidden meanwhile, while a
    /// toolbar must show nothing confidential. A command of the app's menu still reaches the app, which must refuse it
    /// while `controller.screen.isLocked`. A Mac reports no recording. If `coversWhenRecorded`, windows have
    /// `NSWindow.SharingType.none` as long as that is the policy, which ScreenCaptureKit ignores since macOS 15.
    ///
    /// - `ownCover` makes the cover's content, in place of the policy's style, once for each cover. Give it a
    ///   background, and a button that sends `.unlockRequested`.
    /// - `unlock` authenticates the user (`LAContext`, or a passcode by `prompting(with:)`), and returns whether that
    ///   succeeded. It is called only when the app is locked.
    ///
    /// Type-checked, and never run on a Mac.
    @MainActor @discardableResult
    public static func install(
        policy: Policy = .standard,
        ownCover: (@MainActor () -> NSViewController)? = nil,
        unlock: @escaping @MainActor () async -> Bool
    ) -> PrivacyScreenController {
        var policy = policy
        if ownCover != nil { policy.style = .ownView }
        if let installed = DesktopObserver.installed {
            installed.covers.take(ownCover: ownCover, unlock: unlock)
            installed.controller.adopt(policy)
            installed.look()
            return installed.controller
        }
        let host = DesktopCovers(ownCover: ownCover, unlock: unlock)
        let observer = DesktopObserver(controller: PrivacyScreenController(policy: policy, host: host), covers: host)
        DesktopObserver.installed = observer
        observer.start()
        return observer.controller
    }

    /// The same, where an unlock yields the key of the content: `key` has it until the next lock.
    @MainActor @discardableResult
    public static func install<Key: Sendable>(
        policy: Policy = .standard,
        ownCover: (@MainActor () -> NSViewController)? = nil,
        unlocking key: UnlockedKey<Key>
    ) -> PrivacyScreenController {
        install(policy: policy, ownCover: ownCover) { await key.unlock() }
    }

    /// Shows `controller` in a window that is not covered while `body` runs, and closes it when that returns: a
    /// passcode screen for `unlock`. Its sheets, panels and popovers are not covered either. An alert that runs by
    /// itself is: say what was wrong in the window or in a sheet of it.
    ///
    /// Errors: those of `body`.
    @MainActor
    public static func prompting<R: Sendable>(
        with controller: NSViewController, _ body: () async throws -> R
    ) async rethrows -> R {
        let window = NSWindow(contentViewController: controller)
        window.isReleasedWhenClosed = false
        window.level = .modalPanel
        window.disableSnapshotRestoration()
        let covers = DesktopObserver.installed?.covers
        covers?.addPrompt(window)
        window.center()
        window.makeKeyAndOrderFront(nil)
        defer {
            window.close()
            covers?.removePrompt(window)
        }
        return try await body()
    }
}
#endif
