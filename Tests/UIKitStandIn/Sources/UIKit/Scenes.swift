// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor
public final class UISceneSession {
    public struct Role: Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
        public static let windowExternalDisplayNonInteractive = Role(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
        static let carTemplateApplication = Role(rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
    }
    public let persistentIdentifier: String
    public let role: Role
    init(_ identifier: String, role: Role) { (persistentIdentifier, self.role) = (identifier, role) }
}

public enum UISceneCaptureState: Sendable { case unspecified, inactive, active }
public enum UITraitSceneCaptureState {}

@MainActor
public final class UITraitCollection {
    public internal(set) var sceneCaptureState: UISceneCaptureState = .inactive
}

@MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }
    public let session: UISceneSession
    public internal(set) var activationState: ActivationState = .unattached
    public override var next: UIResponder? { UIApplication.running }

    init(identifier: String, role: UISceneSession.Role) {
        session = UISceneSession(identifier, role: role)
        super.init()
    }

    public nonisolated static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
    public nonisolated static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
    public nonisolated static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    public nonisolated static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UISceneWillEnterForegroundNotification")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name(
        "UISceneDidEnterBackgroundNotification")
}

/// What CarPlay connects: a scene that is no window scene [9].
@MainActor
public final class CPTemplateApplicationScene: UIScene {}

@MainActor
public final class UIWindowScene: UIScene {
    public let traitCollection = UITraitCollection()
    public let screen = UIScreen()
    public internal(set) var windows: [UIWindow] = []
    public internal(set) var textEffects: UIWindow?
    public var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
    private var traitHandlers: [@MainActor (UIWindowScene, UITraitCollection) -> Void] = []

    public func registerForTraitChanges(
        _ traits: [Any.Type], handler: @escaping @MainActor (UIWindowScene, UITraitCollection) -> Void
    ) {
        traitHandlers.append(handler)
    }

    /// The system begins or ends a recording; told in both ways, the newer and the older [18].
    public func setCaptured(_ isCaptured: Bool) {
        traitCollection.sceneCaptureState = isCaptured ? .active : .inactive
        screen.isCaptured = isCaptured
        for handler in traitHandlers { handler(self, traitCollection) }
        NotificationCenter.default.post(name: UIScreen.capturedDidChangeNotification, object: screen)
    }
}

@MainActor
public final class UIScreen {
    public let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    public internal(set) var isCaptured = false
    public static let main = UIScreen()
    public nonisolated static let capturedDidChangeNotification = Notification.Name(
        "UIScreenCapturedDidChangeNotification")
}

extension UIWindowScene {
    /// The recording ends, and nobody is told.
    public func endCaptureSilently() {
        traitCollection.sceneCaptureState = .inactive
        screen.isCaptured = false
    }
}
