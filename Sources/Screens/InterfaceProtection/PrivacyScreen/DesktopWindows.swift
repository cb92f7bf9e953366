// SPDX-License-Identifier: Apache-2.0

/// The windows of a Mac app: what AppKit reports goes in, events for a `PrivacyScreen` come out.
///
/// A Mac tells an app nothing like the phases of a scene. A window counts as active while the app is, and as inactive
/// while another app is. It counts as in the background while the user can't be in front of it: it is in the Dock, the
/// app is hidden, the screens are asleep or locked, or the session is another user's.
package struct DesktopWindows: Sendable {
    /// A reason for which the user can't be in front of any window.
    package enum Absence: Sendable, Hashable, CaseIterable {
        /// The app is hidden.
        case hidden
        /// Another user's session is on the screens (fast user switching).
        case sessionResigned
        /// The screens are asleep.
        case screensAsleep
        /// The screen is locked, or its saver asks for a password.
        case screenLocked
    }

    /// What was reported.
    package enum Signal: Sendable, Equatable {
        /// A window is on the screen, or in the Dock. `parent` is the window of a sheet, popover or child.
        case opened(SceneID, parent: SceneID? = nil)
        /// It was closed.
        case closed(SceneID)
        /// It goes into the Dock, with what is attached to it.
        case minimised(SceneID)
        /// It is back from the Dock.
        case restored(SceneID)
        /// The app became active, or resigned.
        case activated(Bool)
        /// A reason for absence began.
        case began(Absence)
        /// It ended.
        case ended(Absence)
        /// The user typed, clicked or moved the pointer in the app, and so is in front of it.
        case userActed
    }

    private struct Window: Sendable {
        let id: SceneID
        let parent: SceneID?
        var phase = ScenePhase.unattached
    }
    private var windows: [Window] = []
    private var minimised: Set<SceneID> = []
    private var absences: Set<Absence> = []
    private var isActive: Bool

    /// No window yet; `isActive`: whether the app is active.
    package init(isActive: Bool) { self.isActive = isActive }

    /// What the screen must be told of `signal`. A repeated signal yields nothing.
    package mutating func take(_ signal: Signal) -> [PrivacyScreen.Event] {
        var events: [PrivacyScreen.Event] = []
        switch signal {
        case .opened(let id, let parent):
            guard !windows.contains(where: { $0.id == id }) else { break }
            windows.append(Window(id: id, parent: parent))
            events.append(.sceneWillConnect(id, kind: .desktopWindow))
        case .closed(let id):
            guard windows.contains(where: { $0.id == id }) else { break }
            windows.removeAll { $0.id == id }
            minimised.remove(id)
            events.append(.sceneDidDisconnect(id))
        case .minimised(let id): minimised.insert(id)
        case .restored(let id): minimised.remove(id)
        case .activated(let isActive): self.isActive = isActive
        case .began(let absence): absences.insert(absence)
        case .ended(let absence): absences.remove(absence)
        // The end of an absence may go unreported, and must not leave a cover on.
        case .userActed: absences = []
        }
        return events + settle()
    }

    private mutating func settle() -> [PrivacyScreen.Event] {
        var events: [PrivacyScreen.Event] = []
        for index in windows.indices {
            let (window, phase) = (windows[index], phase(of: windows[index]))
            guard phase != window.phase else { continue }
            windows[index].phase = phase
            switch phase {
            case .foregroundActive: events.append(.sceneDidActivate(window.id))
            case .foregroundInactive where window.phase == .foregroundActive:
                events.append(.sceneWillDeactivate(window.id))
            case .foregroundInactive: events.append(.sceneWillEnterForeground(window.id))
            case .background, .unattached: events.append(.sceneDidEnterBackground(window.id))
            }
        }
        return events
    }

    private func phase(of window: Window) -> ScenePhase {
        if !absences.isEmpty || isMinimised(window) { return .background }
        return isActive ? .foregroundActive : .foregroundInactive
    }

    /// A window goes into the Dock with the one that it is attached to.
    private func isMinimised(_ window: Window) -> Bool {
        var (next, seen): (Window?, Set<SceneID>) = (window, [])
        while let current = next, seen.insert(current.id).inserted {
            if minimised.contains(current.id) { return true }
            next = windows.first { $0.id == current.parent }
        }
        return false
    }
}

extension DesktopWindows {
    /// Whether a covered window lets a key through, pressed with Command: to quit, hide, minimise or close, or to go to
    /// the next window. All others would be commands of what is covered.
    package static func letsThrough(command key: String) -> Bool {
        ["q", "h", "m", "w", "`"].contains(key.lowercased())
    }
}
