// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// What the system does to an app: not part of UIKit, and the reason why this module exists.
@MainActor
public final class StandInSystem {
    /// In what order the notifications of one change are posted; nobody promises one.
    public enum Order: Sendable, CaseIterable { case sceneFirst, applicationFirst, applicationOnly }

    private let application = UIApplication.shared
    private let order: Order
    private var scenes: [String: UIWindowScene] = [:]
    private var phases: [String: UIScene.ActivationState] = [:]

    /// A system that has just started this app.
    public init(order: Order) {
        self.order = order
        application.connectedScenes = []
        application.windowsWithoutScene = []
        application.isProtectedDataAvailable = true
        application.delegate = nil
    }

    public func scene(_ name: String) -> UIWindowScene? { scenes[name] }

    /// Connects a scene; the app has its windows ready when its delegate would be called, which is `build`.
    public func connect(_ name: String, build: (UIWindowScene?) -> Void) {
        if order == .applicationOnly {
            phases[name] = .unattached
            build(nil)
            return
        }
        let scene = UIWindowScene(identifier: name)
        scenes[name] = scene
        change(name, to: .unattached, by: UIScene.willConnectNotification)
        application.connectedScenes.append(scene)
        build(scene)
    }

    public func willEnterForeground(_ name: String) {
        change(name, to: .foregroundInactive, by: UIScene.willEnterForegroundNotification)
    }
    public func didActivate(_ name: String) {
        change(name, to: .foregroundActive, by: UIScene.didActivateNotification)
    }
    public func willDeactivate(_ name: String) {
        change(name, to: .foregroundInactive, by: UIScene.willDeactivateNotification)
    }
    public func didEnterBackground(_ name: String) {
        change(name, to: .background, by: UIScene.didEnterBackgroundNotification)
    }
    public func disconnect(_ name: String) {
        change(name, to: nil, by: UIScene.didDisconnectNotification)
        application.connectedScenes.removeAll { $0 === scenes[name] }
        scenes[name] = nil
    }

    public func setProtectedData(isAvailable: Bool) {
        if !isAvailable { post(UIApplication.protectedDataWillBecomeUnavailableNotification) }
        application.isProtectedDataAvailable = isAvailable
        if isAvailable { post(UIApplication.protectedDataDidBecomeAvailableNotification) }
    }

    private func change(_ name: String, to phase: UIScene.ActivationState?, by notification: Notification.Name) {
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
        case UIApplication.willResignActiveNotification: application.delegate?.applicationWillResignActive(application)
        case UIApplication.didBecomeActiveNotification: application.delegate?.applicationDidBecomeActive(application)
        default: break
        }
    }

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

extension StandInSystem {
    /// The picture of a scene: the texts that can be read in it. Windows are drawn from the lowest level to the highest, the
    /// keyboard above them all; what has a background hides what is below.
    public func picture(of name: String) -> [String] {
        let windows =
            order == .applicationOnly
            ? application.windowsWithoutScene.compactMap(\.window) : scenes[name]?.windows ?? []
        let visible = windows.enumerated().filter { !$0.element.isHidden && $0.element.alpha > 0 }
            .sorted { ($0.element.windowLevel.rawValue, $0.offset) < ($1.element.windowLevel.rawValue, $1.offset) }
        var texts: [String] = []
        for (_, window) in visible {
            draw(window.contentView, of: window.rootViewController, into: &texts)
        }
        if windows.contains(where: { hasKeyboard($0.contentView) }) { texts.append("keyboard") }
        return texts
    }

    private func draw(_ view: UIView, of controller: UIViewController?, into texts: inout [String]) {
        draw(view, into: &texts)
        guard let presented = controller?.presentedViewController else { return }
        draw(presented.view, of: presented, into: &texts)
    }

    private func draw(_ view: UIView, into texts: inout [String]) {
        guard !view.isHidden, view.alpha > 0 else { return }
        let isOpaque = view.alpha >= 1 && view.backgroundColor.map { $0 !== UIColor.clear } ?? false
        if isOpaque, view.frame.size.height >= UIScreen.main.bounds.height { texts = [] }
        if let text = view.drawnText { texts.append(text) }
        for subview in view.subviews { draw(subview, into: &texts) }
    }

    private func hasKeyboard(_ view: UIView) -> Bool {
        (view as? UITextField)?.isFirstResponder ?? false || view.subviews.contains(where: hasKeyboard)
    }
}
