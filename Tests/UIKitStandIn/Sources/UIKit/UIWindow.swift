// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor
open class UIWindow: UIView {
    public struct Level: RawRepresentable, Sendable, Equatable, Comparable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let normal = Level(rawValue: 0)
        public static let alert = Level(rawValue: 2000)
        public static func + (level: Level, more: CGFloat) -> Level { Level(rawValue: level.rawValue + more) }
        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    public var windowLevel = Level.normal
    public private(set) weak var windowScene: UIWindowScene?
    public private(set) var isKeyWindow = false
    public var rootViewController: UIViewController? {
        didSet {
            oldValue?.rootWindow = nil
            rootViewController?.rootWindow = self
        }
    }
    /// A hidden window is not the key window, and no other one becomes it by itself [5].
    public override var isHidden: Bool {
        didSet {
            guard isHidden != oldValue else { return }
            if isHidden {
                setKey(false)
                NotificationCenter.default.post(name: Self.didBecomeHiddenNotification, object: self)
            } else {
                rootViewController?.appear()
                NotificationCenter.default.post(name: Self.didBecomeVisibleNotification, object: self)
            }
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
    public required init?(coder: NSCoder) { nil }

    public nonisolated static let didBecomeVisibleNotification = Notification.Name(
        "UIWindowDidBecomeVisibleNotification")
    public nonisolated static let didBecomeHiddenNotification = Notification.Name("UIWindowDidBecomeHiddenNotification")
    public nonisolated static let didBecomeKeyNotification = Notification.Name("UIWindowDidBecomeKeyNotification")

    /// The windows among which one is the key window: those of its scene [4].
    private var siblings: [UIWindow] {
        windowScene?.windows ?? UIApplication.shared.windowsWithoutScene.compactMap(\.window)
    }

    private func setKey(_ isKey: Bool) {
        guard isKey != isKeyWindow else { return }
        isKeyWindow = isKey
        if isKey { NotificationCenter.default.post(name: Self.didBecomeKeyNotification, object: self) }
    }

    /// Another window stops being it [4].
    public func makeKey() {
        for window in siblings where window !== self { window.setKey(false) }
        setKey(true)
    }

    public func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }

    @discardableResult
    public override func endEditing(_ force: Bool) -> Bool { contentView.endEditing(force) }

    public override var next: UIResponder? { windowScene ?? UIApplication.running }

    /// The root controller's view; what it presents is drawn after it.
    var contentView: UIView { rootViewController?.view ?? UIView() }
}

/// What UIKit puts into a scene for the keyboard and for marks on text; it never becomes the key window [28].
final class UITextEffectsWindow: UIWindow {}

extension UIWindowScene {
    /// As happens with the first keyboard.
    func addTextEffectsWindow() {
        guard textEffects == nil else { return }
        let window = UITextEffectsWindow(windowScene: self)
        window.windowLevel = .normal + 1
        window.rootViewController = UIViewController()
        window.isHidden = false
        textEffects = window
    }
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
    /// nil until the program's `main` has called UIApplicationMain: in the initializer of a SwiftUI `App` there is none [1].
    static var running: UIApplication?

    public static var shared: UIApplication {
        guard let running else { preconditionFailure("there is no application yet") }
        return running
    }

    public static func responds(to selector: Selector) -> Bool { selector.name == "sharedApplication" }
    /// `sharedApplication`, with nothing to say where there is none.
    public static func perform(_ selector: Selector) -> Unmanaged<AnyObject>? {
        unsafe running.map { unsafe Unmanaged.passUnretained($0) }
    }

    public struct ExtensionPointIdentifier: Hashable, Sendable {
        let name: String
        public static let keyboard = ExtensionPointIdentifier(name: "com.apple.keyboard-service")
        public static let other = ExtensionPointIdentifier(name: "another kind")
    }

    @unsafe public var delegate: (any UIApplicationDelegate)?
    public override var next: UIResponder? { unsafe delegate as? UIResponder }
    public internal(set) var connectedScenes: [UIScene] = []
    public internal(set) var isProtectedDataAvailable = true
    var windowsWithoutScene: [WeakWindow] = []

    /// Deprecated in UIKit, and what the classic recipe uses.
    public var keyWindow: UIWindow? {
        let windows =
            windowsWithoutScene.compactMap(\.window) + connectedScenes.flatMap { ($0 as? UIWindowScene)?.windows ?? [] }
        return windows.first(where: \.isKeyWindow)
    }

    public nonisolated static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification")
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
    public nonisolated static let userDidTakeScreenshotNotification =
        Notification.Name("UIApplicationUserDidTakeScreenshotNotification")
}
