// SPDX-License-Identifier: Apache-2.0

/// Identifies one scene: a `UIScene.session.persistentIdentifier`, a window, a terminal.
public struct SceneID: Hashable, Sendable, CustomStringConvertible {
    /// The name; no two scenes share one.
    public let name: String

    /// The scene called `name`.
    public init(_ name: String) { self.name = name }

    /// The single scene of an app without scenes, driven by the application's notifications.
    public static let application = SceneID("application")

    /// The name, safe to print and log.
    public var description: String { name }
}

/// What a scene is doing, as in `UIScene.ActivationState`.
public enum ScenePhase: Sendable, Equatable, CaseIterable {
    /// Connected, but never shown.
    case unattached
    /// Visible and receiving events.
    case foregroundActive
    /// Visible or about to be, but without events: an alert, Face ID, Control Centre, the app switcher.
    case foregroundInactive
    /// Not visible. The system takes its picture of the scene here.
    case background
}

/// The audience of a scene, and whether it has a window.
public enum SceneKind: Sendable, Equatable, CaseIterable {
    /// A window in the user's hands. Only this kind and `desktopWindow` mean that the user is present.
    case window
    /// A window on a Mac. With Catalyst, or in an iPad's app, it can stay inactive for hours, minimised or hidden, and
    /// never enters the background. So the user counts as away while it is inactive, unless a prompt of the app's own
    /// made it so.
    case desktopWindow
    /// A window on an external display: shown, without input. It doesn't count as the user's presence.
    ///
    /// The system doesn't activate such a scene: it shows its content as soon as it is in the foreground. It is covered
    /// while the app is locked. Unless the policy covers manually, it is also covered whenever no window of the user's
    /// is in the foreground.
    case externalDisplay
    /// Templates that the system draws (CarPlay), and anything else without a window of the app. It can't be covered,
    /// and doesn't count as the user's presence.
    case withoutWindow

    var canBeCovered: Bool { self != .withoutWindow }
    /// Whether the user works in it.
    var isTheUsers: Bool { self == .window || self == .desktopWindow }
}
