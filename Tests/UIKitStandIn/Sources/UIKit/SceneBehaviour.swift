// SPDX-License-Identifier: Apache-2.0
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The transitions of the app that shows an extension; an extension has no scene [43].
extension NSNotification.Name {
    public static let NSExtensionHostWillEnterForeground = Self("NSExtensionHostWillEnterForegroundNotification")
    public static let NSExtensionHostDidBecomeActive = Self("NSExtensionHostDidBecomeActiveNotification")
    public static let NSExtensionHostWillResignActive = Self("NSExtensionHostWillResignActiveNotification")
    public static let NSExtensionHostDidEnterBackground = Self("NSExtensionHostDidEnterBackgroundNotification")
}

/// What the system tells a scene of each kind: the table of Documentation/SystemFacts.md, which a test compares with this.
public enum SceneBehaviour: String, CaseIterable, Sendable {
    case window = "window of an iPhone or iPad"
    case desktopWindow = "window on a Mac (Catalyst)"
    case externalDisplay = "external display"
    case car = "CarPlay"

    /// The notifications that are posted about it.
    public var isTold: Set<Notification.Name> {
        let all: Set = [
            UIScene.willConnectNotification, UIScene.willEnterForegroundNotification, UIScene.didActivateNotification,
            UIScene.willDeactivateNotification, UIScene.didEnterBackgroundNotification,
            UIScene.didDisconnectNotification,
        ]
        return switch self {
        case .window, .desktopWindow, .car: all
        case .externalDisplay: all.subtracting([UIScene.didActivateNotification, UIScene.willDeactivateNotification])
        }
    }

    /// Its state while its content is seen.
    public var stateWhenSeen: UIScene.ActivationState {
        self == .externalDisplay ? .foregroundInactive : .foregroundActive
    }

    /// Its state while its window is minimised, or another app is in front.
    public var stateWhenLeft: UIScene.ActivationState { self == .desktopWindow ? .foregroundInactive : .background }

    /// The facts that say so.
    public var facts: [Int] {
        switch self {
        case .window: [24, 25, 26]
        case .desktopWindow: [37, 38]
        case .externalDisplay: [10, 34]
        case .car: [9]
        }
    }
}
