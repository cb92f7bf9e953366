// SPDX-License-Identifier: Apache-2.0

/// Names one scene: a `UIScene.session.persistentIdentifier`, a window, a terminal.
public struct SceneID: Hashable, Sendable, CustomStringConvertible {
    /// The name itself; two scenes never share one.
    public let name: String

    /// The scene called `name`.
    public init(_ name: String) { self.name = name }

    /// The one scene of an app that has no scenes, driven by the application's notifications.
    public static let application = SceneID("application")

    /// What may be printed and logged.
    public var description: String { name }
}

/// What a scene is doing, as `UIScene.ActivationState` says it.
public enum ScenePhase: Sendable, Equatable, CaseIterable {
    /// Connected, never shown.
    case unattached
    /// Visible and receiving events.
    case foregroundActive
    /// Visible, or about to be, and receiving none: an alert, Face ID, Control Centre, the app switcher.
    case foregroundInactive
    /// Not visible. The system takes its picture of the scene here.
    case background
}

/// Who looks at a scene, and whether it has a window.
public enum SceneKind: Sendable, Equatable, CaseIterable {
    /// A window in the user's hands. Only these say that the user is there.
    case window
    /// A window on an external display: shown, without input. It is covered whenever no window of the user's is in the foreground
    /// or the app is locked, and it doesn't count as the user's presence.
    case externalDisplay
    /// Templates that the system draws (CarPlay), and whatever else has no window of the app: it can't be covered, and it doesn't
    /// count as the user's presence.
    case withoutWindow

    var canBeCovered: Bool { self != .withoutWindow }
}
