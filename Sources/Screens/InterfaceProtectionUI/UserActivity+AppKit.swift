// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
import AppKit
public import InterfaceProtection

/// Notices keys, clicks, scrolling and movements of the pointer in the windows of a Mac app, and passes them on.
///
/// `PrivacyScreen.install` has one. For a host of the app's own, put the time into
/// `PrivacyScreen.Policy.locksAfterInactivity`, and tell the controller of windows as `SceneKind.desktopWindow`. AppKit
/// gives a local monitor only events of the app itself: what the user does in other apps doesn't count, and needs no
/// permission.
@MainActor
public final class UserActivityMonitor {
    private var monitor: Any?

    /// Reports to `controller` until `stop`. Errors: none; without a time of inactivity in the policy it reports
    /// nothing.
    public convenience init(reportingTo controller: PrivacyScreenController) {
        self.init { [weak controller] in
            if let controller, controller.screen.policy.locksAfterInactivity != nil { controller.handle(.userActed) }
        }
    }

    init(report: @escaping @MainActor () -> Void) {
        let events: NSEvent.EventTypeMask = [
            .keyDown, .flagsChanged, .leftMouseDown, .rightMouseDown, .otherMouseDown, .leftMouseDragged, .mouseMoved,
            .scrollWheel, .magnify, .rotate, .swipe, .gesture,
        ]
        monitor = NSEvent.addLocalMonitorForEvents(matching: events) { event in
            report()
            // What is returned goes on to the window.
            return event
        }
    }

    /// Stops reporting.
    public func stop() {
        if let monitor { NSEvent.removeMonitor(monitor) }
        monitor = nil
    }
}
#endif
