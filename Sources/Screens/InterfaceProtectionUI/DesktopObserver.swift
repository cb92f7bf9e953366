// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
import AppKit
import InterfaceProtection

/// Translates the notifications of AppKit and of the session into signals, without decisions of its own.
@MainActor
final class DesktopObserver: NSObject {
    /// The active observer.
    static var installed: DesktopObserver?

    let controller: PrivacyScreenController
    let covers: DesktopCovers
    private var windows = DesktopWindows(isActive: DesktopCovers.application?.isActive ?? false)
    private var activity: UserActivityMonitor?

    init(controller: PrivacyScreenController, covers: DesktopCovers) {
        self.controller = controller
        self.covers = covers
        super.init()
        covers.onTouch = { [weak self] in self?.controller.handle(.unlockRequested) }
    }

    /// Starts observing, and finds the windows that exist.
    func start() {
        observeApplication()
        observeWindows()
        observeSession()
        activity = UserActivityMonitor { [weak self] in self?.userActed() }
        look()
    }

    private func observeApplication() {
        observe(NSApplication.willResignActiveNotification, .activated(false))
        observe(NSApplication.didBecomeActiveNotification, .activated(true))
        observe(NSApplication.willHideNotification, .began(.hidden))
        observe(NSApplication.didUnhideNotification, .ended(.hidden))
        // Sent with every event of the app: there is no notification of a window that appears.
        observe(NSApplication.willUpdateNotification)
    }

    private func observeWindows() {
        observe(NSWindow.didChangeOcclusionStateNotification)
        observe(NSWindow.didBecomeKeyNotification)
        observe(NSWindow.willMiniaturizeNotification) { .minimised($0) }
        observe(NSWindow.didDeminiaturizeNotification) { .restored($0) }
        observe(NSWindow.willCloseNotification) { .closed($0) }
    }

    private func observeSession() {
        let workspace = NSWorkspace.shared.notificationCenter
        observe(NSWorkspace.sessionDidResignActiveNotification, .began(.sessionResigned), from: workspace)
        observe(NSWorkspace.sessionDidBecomeActiveNotification, .ended(.sessionResigned), from: workspace)
        observe(NSWorkspace.screensDidSleepNotification, .began(.screensAsleep), from: workspace)
        observe(NSWorkspace.screensDidWakeNotification, .ended(.screensAsleep), from: workspace)
        // Undocumented names: where they are not posted, the other absences remain. Without this behaviour an app that
        // is not active would get them at its return.
        let center = DistributedNotificationCenter.default()
        center.addObserver(
            self, selector: #selector(screenLocked), name: Notification.Name("com.apple.screenIsLocked"), object: nil,
            suspensionBehavior: .deliverImmediately)
        center.addObserver(
            self, selector: #selector(screenUnlocked), name: Notification.Name("com.apple.screenIsUnlocked"),
            object: nil, suspensionBehavior: .deliverImmediately)
    }

    @objc private func screenLocked() { take(.began(.screenLocked)) }

    @objc private func screenUnlocked() { take(.ended(.screenLocked)) }

    private func userActed() {
        take(.userActed)
        // Without such a time an event changes nothing.
        if controller.screen.policy.locksAfterInactivity != nil { controller.handle(.userActed) }
    }

    /// Finds windows that appeared or are gone. What appears is covered before the event that opened it is over.
    func look() {
        for closed in covers.forgetGone() { take(.closed(closed)) }
        for window in DesktopCovers.application?.windows ?? [] where covers.isNew(window) {
            window.disableSnapshotRestoration()
            let parent = window.sheetParent ?? window.parent
            take(.opened(covers.note(window), parent: parent.flatMap { covers.id(of: $0) }))
            if window.isMiniaturized { take(.minimised(covers.note(window))) }
        }
        covers.keepFromCaptures(controller.screen.policy.coversWhenRecorded)
        covers.keepOnTop()
    }

    private func take(_ signal: DesktopWindows.Signal) {
        let events = windows.take(signal)
        for event in events { controller.handle(event) }
        if !events.isEmpty { covers.draw() }
    }

    /// Without a queue: an observer runs before the `post` of AppKit returns, and so before the Dock's picture.
    private func observe(
        _ name: Notification.Name, _ signal: DesktopWindows.Signal? = nil, from center: NotificationCenter = .default
    ) {
        center.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            MainActor.assumeIsolated {
                self?.look()
                if let signal { self?.take(signal) }
            }
        }
    }

    private func observe(
        _ name: Notification.Name, _ signal: @escaping @MainActor @Sendable (SceneID) -> DesktopWindows.Signal
    ) {
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
            let window = notification.object as? NSWindow
            MainActor.assumeIsolated {
                self?.look()
                if let id = window.flatMap({ self?.covers.id(of: $0) }) { self?.take(signal(id)) }
            }
        }
    }
}
#endif
