// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import UIKit

@testable import InterfaceProtectionUIUnderTest

/// An app that shows something confidential in each scene: a label, an alert in a window of its own, a presented sheet, and
/// a field with the keyboard up. And the system that moves it about.
@MainActor
final class TestApp {
    final class Delegate: UIApplicationDelegate {
        var window: UIWindow?
        var onResign: () -> Void = {}
        var onActive: () -> Void = {}
        func applicationWillResignActive(_ application: UIApplication) { onResign() }
        func applicationDidBecomeActive(_ application: UIApplication) { onActive() }
    }

    let system: StandInSystem
    let delegate = Delegate()
    let order: StandInSystem.Order
    private(set) var controller: PrivacyScreenController?
    private(set) var pictures: [[String]] = []
    private(set) var unlocks = 0
    private var windows: [UIWindow] = []
    private var fields: [UITextField] = []

    init(policy: PrivacyScreen.Policy?, order: StandInSystem.Order) {
        self.order = order
        system = StandInSystem(order: order)
        UIApplication.shared.delegate = delegate
        LifecycleObserver.installed?.stop()
        LifecycleObserver.installed = nil
        if let policy {
            controller = PrivacyScreen.install(
                policy: policy,
                unlock: { [weak self] in
                    self?.unlocks += 1
                    return true
                })
        }
        // An app without scenes has its scene from the start.
        if order == .applicationOnly { controller?.handle(.sceneWillConnect(.application)) }
    }

    func name(_ scene: Int) -> String { "scene \(scene)" }

    func play(_ lifecycle: Lifecycle) {
        for step in lifecycle.steps { play(step) }
    }

    func play(_ step: LifecycleStep) {
        switch step {
        case .connect(let scene): system.connect(name(scene)) { build(in: $0) }
        case .willEnterForeground(let scene): system.willEnterForeground(name(scene))
        case .didActivate(let scene):
            system.didActivate(name(scene))
            for field in fields { field.becomeFirstResponder() }
        case .willDeactivate(let scene): system.willDeactivate(name(scene))
        case .didEnterBackground(let scene):
            system.didEnterBackground(name(scene))
        case .disconnect(let scene): system.disconnect(name(scene))
        case .snapshot(let scene): pictures.append(system.picture(of: name(scene)))
        case .protectedData(let isAvailable): system.setProtectedData(isAvailable: isAvailable)
        case .wait: break
        case .promptAppears: controller?.handle(.authenticationBegan)
        case .promptEnds: controller?.handle(.authenticationEnded)
        }
    }

    private func build(in scene: UIWindowScene?) {
        let main = window(in: scene, level: .normal, text: "balance 1000")
        let field = UITextField()
        field.text = "typed in clear"
        main.rootViewController?.view.addSubview(field)
        field.becomeFirstResponder()
        fields.append(field)
        main.makeKeyAndVisible()
        delegate.window = main
        let sheet = UIViewController()
        sheet.view.backgroundColor = .systemBackground
        let label = UILabel()
        label.text = "card 4111"
        sheet.view.addSubview(label)
        main.rootViewController?.present(sheet, animated: false)
        // Apps without scenes that hide their window have no alert in a window of its own.
        if scene != nil { window(in: scene, level: .alert, text: "code 123456").isHidden = false }
    }

    @discardableResult
    private func window(in scene: UIWindowScene?, level: UIWindow.Level, text: String) -> UIWindow {
        let window = scene.map { UIWindow(windowScene: $0) } ?? UIWindow(frame: UIScreen.main.bounds)
        window.windowLevel = level
        let controller = UIViewController()
        let label = UILabel()
        label.text = text
        controller.view.addSubview(label)
        window.rootViewController = controller
        windows.append(window)
        return window
    }
}
