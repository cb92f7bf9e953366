// SPDX-License-Identifier: Apache-2.0

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
public import InterfaceProtection

/// Notices keys, clicks, scrolling and movements of the pointer in the windows of a Mac app, and passes them on.
///
/// Put the time into `PrivacyScreen.Policy.locksAfterInactivity`, and tell the controller of windows as
/// `SceneKind.desktopWindow`. AppKit gives a local monitor only events of the app itself: what the user does in other
/// apps doesn't count, and needs no permission.
@MainActor
public final class UserActivityMonitor {
    private var monitor: Any?

    /// Reports to `controller` until `stop`. Errors: none; without a time of inactivity in the policy it reports
    /// nothing.
    public init(reportingTo controller: PrivacyScreenController) {
        let events: NSEvent.EventTypeMask = [
            .keyDown, .flagsChanged, .leftMouseDown, .rightMouseDown, .otherMouseDown, .leftMouseDragged, .mouseMoved,
            .scrollWheel, .magnify, .rotate, .swipe, .gesture,
        ]
        monitor = NSEvent.addLocalMonitorForEvents(matching: events) { [weak controller] event in
            if let controller, controller.screen.policy.locksAfterInactivity != nil { controller.handle(.userActed) }
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
