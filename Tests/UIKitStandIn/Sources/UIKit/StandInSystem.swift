// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// What the system does to an app: not part of UIKit, and the reason why this module exists.
@MainActor
public final class StandInSystem {
    /// In what order the notifications of one change are posted; nobody promises one.
    public enum Order: Sendable, CaseIterable { case sceneFirst, applicationFirst, applicationOnly }

    var application: UIApplication { UIApplication.shared }
    let order: Order
    /// Whether a display isn't told that it is in the foreground again.
    public var returnsSilently = false
    private(set) var scenes: [String: UIScene] = [:]
    private var behaviours: [String: SceneBehaviour] = [:]
    private var phases: [String: UIScene.ActivationState] = [:]

    /// A system that has just started this app's process. Unless told otherwise the program has got as far as its application.
    public init(order: Order, isLaunched: Bool = true) {
        self.order = order
        UIApplication.running = nil
        unsafe ProcessInfo.standInIsOnMac = false
        if isLaunched { launch() }
    }

    /// UIApplicationMain: the application is there, and has finished launching [2]. In a prewarmed process this may happen long before
    /// the first unlock [3].
    public func launch(isProtectedDataAvailable isAvailable: Bool = true) {
        let application = UIApplication()
        application.isProtectedDataAvailable = isAvailable
        UIApplication.running = application
        post(UIApplication.didFinishLaunchingNotification)
    }

    public func scene(_ name: String) -> UIWindowScene? { scenes[name] as? UIWindowScene }

    /// CarPlay connects its scene, which has no window [9].
    public func connectCar(_ name: String) {
        let scene = CPTemplateApplicationScene(identifier: name, role: .carTemplateApplication)
        scenes[name] = scene
        behaviours[name] = .car
        change(name, to: .unattached, by: UIScene.willConnectNotification)
        application.connectedScenes.append(scene)
    }

    /// A display is connected. The app is always offered a scene for it, and the display shows what the main scene shows until
    /// the app puts a window there [10]. It comes to the foreground with the app, and is never active [34].
    public func connectDisplay(_ name: String, build: (UIWindowScene) -> Void = { _ in }) {
        let scene = UIWindowScene(identifier: name, role: .windowExternalDisplayNonInteractive)
        scenes[name] = scene
        behaviours[name] = .externalDisplay
        change(name, to: .unattached, by: UIScene.willConnectNotification)
        application.connectedScenes.append(scene)
        build(scene)
        if isUserInForeground { willEnterForeground(name) }
    }

    private func isUsers(_ name: String) -> Bool { [nil, .window, .desktopWindow].contains(behaviours[name]) }
    private var isUserInForeground: Bool {
        phases.contains { isUsers($0.key) && ($0.value == .foregroundActive || $0.value == .foregroundInactive) }
    }
    private var displays: [String] { behaviours.filter { $0.value == .externalDisplay }.keys.sorted() }

    /// Connects a scene; the app has its windows ready when its delegate would be called, which is `build`.
    public func connect(_ name: String, build: (UIWindowScene?) -> Void) {
        if order == .applicationOnly {
            phases[name] = .unattached
            build(nil)
            return
        }
        let scene = UIWindowScene(identifier: name, role: .windowApplication)
        scenes[name] = scene
        behaviours[name] = ProcessInfo.processInfo.isMacCatalystApp ? .desktopWindow : .window
        change(name, to: .unattached, by: UIScene.willConnectNotification)
        application.connectedScenes.append(scene)
        build(scene)
    }

    /// A display follows the app's windows to the foreground, and to the background.
    public func willEnterForeground(_ name: String) {
        change(name, to: .foregroundInactive, by: UIScene.willEnterForegroundNotification)
        for display in displays where isUsers(name) && phases[display] != .foregroundInactive {
            if returnsSilently {
                phases[display] = .foregroundInactive
                scenes[display]?.activationState = .foregroundInactive
                continue
            }
            change(display, to: .foregroundInactive, by: UIScene.willEnterForegroundNotification)
        }
    }
    public func didActivate(_ name: String) {
        change(name, to: .foregroundActive, by: UIScene.didActivateNotification)
    }
    public func willDeactivate(_ name: String) {
        change(name, to: .foregroundInactive, by: UIScene.willDeactivateNotification)
    }
    public func didEnterBackground(_ name: String) {
        change(name, to: .background, by: UIScene.didEnterBackgroundNotification)
        for display in displays where !isUserInForeground && phases[display] != .background {
            change(display, to: .background, by: UIScene.didEnterBackgroundNotification)
        }
    }
    public func disconnect(_ name: String) {
        change(name, to: nil, by: UIScene.didDisconnectNotification)
        application.connectedScenes.removeAll { $0 === scenes[name] }
        scenes[name] = nil
        behaviours[name] = nil
    }

    /// `silently`: nobody is told, as happens to whoever began to listen too late [3].
    public func setProtectedData(isAvailable: Bool, silently: Bool = false) {
        if silently {
            application.isProtectedDataAvailable = isAvailable
            return
        }
        if !isAvailable { post(UIApplication.protectedDataWillBecomeUnavailableNotification) }
        application.isProtectedDataAvailable = isAvailable
        if isAvailable { post(UIApplication.protectedDataDidBecomeAvailableNotification) }
    }

    private func change(_ name: String, to phase: UIScene.ActivationState?, by notification: Notification.Name) {
        // Nothing is told that this kind of scene isn't told, and its state stays.
        guard behaviours[name]?.isTold.contains(notification) != false else { return }
        let before = applicationPhase
        phases[name] = phase
        let application = Self.applicationNotification(from: before, to: applicationPhase)
        let scene = scenes[name]
        let tellScene = {
            if let phase { scene?.activationState = phase }
            NotificationCenter.default.post(name: notification, object: scene)
        }
        let tellApplication = { if let application { self.post(application) } }
        switch order {
        case .sceneFirst:
            tellScene()
            tellApplication()
        case .applicationFirst:
            tellApplication()
            tellScene()
        case .applicationOnly:
            tellApplication()
            tellDelegate(application)
        }
    }

    /// Only an app without scenes has these delegate methods called.
    private func tellDelegate(_ notification: Notification.Name?) {
        switch notification {
        case UIApplication.willResignActiveNotification:
            unsafe application.delegate?.applicationWillResignActive(application)
        case UIApplication.didBecomeActiveNotification:
            unsafe application.delegate?.applicationDidBecomeActive(application)
        default: break
        }
    }

    public func takeScreenshot() { post(UIApplication.userDidTakeScreenshotNotification) }

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: application) }

    private var applicationPhase: UIScene.ActivationState {
        for phase in [UIScene.ActivationState.foregroundActive, .foregroundInactive, .background]
        where phases.values.contains(phase) {
            return phase
        }
        return .unattached
    }

    private static func applicationNotification(
        from old: UIScene.ActivationState, to new: UIScene.ActivationState
    ) -> Notification.Name? {
        guard old != new else { return nil }
        return switch (old, new) {
        case (.foregroundActive, .foregroundInactive): UIApplication.willResignActiveNotification
        case (_, .background): UIApplication.didEnterBackgroundNotification
        case (.background, .foregroundInactive): UIApplication.willEnterForegroundNotification
        case (_, .foregroundActive): UIApplication.didBecomeActiveNotification
        default: nil
        }
    }
}
