// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor
public final class UISceneSession {
    public let persistentIdentifier: String
    init(_ identifier: String) { persistentIdentifier = identifier }
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

    init(identifier: String) {
        session = UISceneSession(identifier)
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

@MainActor
public final class UIWindowScene: UIScene {
    public let traitCollection = UITraitCollection()
    public internal(set) var windows: [UIWindow] = []
    public var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
    private var traitHandlers: [@MainActor (UIWindowScene, UITraitCollection) -> Void] = []

    public func registerForTraitChanges(
        _ traits: [Any.Type], handler: @escaping @MainActor (UIWindowScene, UITraitCollection) -> Void
    ) {
        traitHandlers.append(handler)
    }

    /// The system begins or ends a recording.
    public func setCaptured(_ isCaptured: Bool) {
        traitCollection.sceneCaptureState = isCaptured ? .active : .inactive
        for handler in traitHandlers { handler(self, traitCollection) }
    }
}

@MainActor
public final class UIScreen {
    public let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    public static let main = UIScreen()
}

@MainActor
public final class UIWindow: UIView {
    public struct Level: RawRepresentable, Sendable, Equatable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let normal = Level(rawValue: 0)
        public static let alert = Level(rawValue: 2000)
        public static func + (level: Level, more: CGFloat) -> Level { Level(rawValue: level.rawValue + more) }
    }

    public var windowLevel = Level.normal
    public private(set) weak var windowScene: UIWindowScene?
    public internal(set) var isKeyWindow = false
    public var rootViewController: UIViewController?
    public override var isHidden: Bool {
        didSet {
            // What the classic recipe meets: a hidden window is no longer the key window, and doesn't become it by itself.
            if isHidden { isKeyWindow = false }
            if !isHidden, oldValue { rootViewController?.sendAppearance() }
        }
    }

    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init(frame: UIScreen.main.bounds)
        isHidden = true
        windowScene.windows.append(self)
    }

    /// A window of an app without scenes.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
        UIApplication.shared.windowsWithoutScene.append(WeakWindow(window: self))
    }

    public func makeKeyAndVisible() {
        for window in windowScene?.windows ?? UIApplication.shared.windowsWithoutScene.compactMap(\.window) {
            window.isKeyWindow = false
            // Another key window takes the keyboard away.
            if window !== self { window.contentView.endEditing(true) }
        }
        isKeyWindow = true
        isHidden = false
    }

    @discardableResult
    public override func endEditing(_ force: Bool) -> Bool { contentView.endEditing(force) }

    /// The root controller's view, and what it presents.
    var contentView: UIView { rootViewController?.view ?? UIView() }
}

@MainActor
struct WeakWindow {
    weak var window: UIWindow?
}

@MainActor
public protocol UIApplicationDelegate: AnyObject {
    var window: UIWindow? { get set }
    func applicationWillResignActive(_ application: UIApplication)
    func applicationDidBecomeActive(_ application: UIApplication)
}

extension UIApplicationDelegate {
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidBecomeActive(_ application: UIApplication) {}
}

@MainActor
public final class UIApplication: UIResponder {
    public static let shared = UIApplication()
    public var delegate: (any UIApplicationDelegate)?
    public internal(set) var connectedScenes: [UIScene] = []
    public internal(set) var isProtectedDataAvailable = true
    var windowsWithoutScene: [WeakWindow] = []

    /// Deprecated in UIKit, and what the classic recipe uses.
    public var keyWindow: UIWindow? {
        let windows =
            windowsWithoutScene.compactMap(\.window) + connectedScenes.flatMap { ($0 as? UIWindowScene)?.windows ?? [] }
        return windows.first(where: \.isKeyWindow)
    }

    public nonisolated static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    public nonisolated static let didEnterBackgroundNotification =
        Notification.Name("UIApplicationDidEnterBackgroundNotification")
    public nonisolated static let willEnterForegroundNotification =
        Notification.Name("UIApplicationWillEnterForegroundNotification")
    public nonisolated static let protectedDataWillBecomeUnavailableNotification =
        Notification.Name("UIApplicationProtectedDataWillBecomeUnavailable")
    public nonisolated static let protectedDataDidBecomeAvailableNotification =
        Notification.Name("UIApplicationProtectedDataDidBecomeAvailable")
}
