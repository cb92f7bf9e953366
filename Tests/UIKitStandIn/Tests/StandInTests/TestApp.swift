// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import UIKit

@testable import InterfaceProtectionUIUnderTest

/// An app that shows something confidential in each scene: a label, an alert in a window of its own, a presented sheet, and
/// a field with the keyboard up. And the system that moves it about.
@MainActor
final class TestApp {
    final class Delegate: UIResponder, UIApplicationDelegate {
        var window: UIWindow?
        var onResign: () -> Void = {}
        var onActive: () -> Void = {}
        func applicationWillResignActive(_ application: UIApplication) { onResign() }
        func applicationDidBecomeActive(_ application: UIApplication) { onActive() }
        override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
            action.name == "newPayment:"
        }
    }

    /// A root controller that has wishes about what is round it.
    final class RootController: UIViewController {
        override var canBecomeFirstResponder: Bool { true }
        override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
            action.name == "showBalance:"
        }
        override var prefersStatusBarHidden: Bool { true }
        override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }
        override var prefersHomeIndicatorAutoHidden: Bool { true }
        override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .portrait }
    }

    /// The time, for lock and clearing. It is moved by the test, which runs on the main actor.
    final class Time: Sendable {
        nonisolated(unsafe) private var instant = ContinuousClock.Instant.now
        var now: ContinuousClock.Instant { unsafe instant }
        func advance(by time: Duration) { unsafe instant += time }
    }

    let system: StandInSystem
    let delegate = Delegate()
    let order: StandInSystem.Order
    let time = Time()
    let contents = ConfidentialContents()
    private(set) var controller: PrivacyScreenController?
    private(set) var pictures: [[String]] = []
    private(set) var unlocks = 0
    /// Whether the user passes the prompt; until then it stays on the screen.
    var mayUnlock = true
    /// Without an alert in a window of its own, what the user types in is the topmost window.
    var showsAlert = true
    private(set) var mainWindows: [UIWindow] = []
    private var windows: [UIWindow] = []
    private(set) var fields: [UITextField] = []

    init(policy: PrivacyScreen.Policy?, order: StandInSystem.Order, isLaunched: Bool = true) {
        self.order = order
        system = StandInSystem(order: order, isLaunched: isLaunched)
        if isLaunched { unsafe UIApplication.shared.delegate = delegate }
        LifecycleObserver.installed?.stop()
        LifecycleObserver.installed = nil
        if let policy { install(policy) }
        // An app without scenes has its scene from the start.
        if order == .applicationOnly { controller?.handle(.sceneWillConnect(.application)) }
    }

    /// With one scene, started and active; a prompt to unlock has no window of its own.
    static func started(_ policy: PrivacyScreen.Policy = .standard) -> TestApp {
        let app = TestApp(policy: policy, order: .sceneFirst)
        app.showsAlert = false
        app.play(Lifecycle.all[0])
        return app
    }

    /// What `PrivacyScreen.install` does, with a clock and with contents of the test's own.
    private func install(_ policy: PrivacyScreen.Policy) {
        let host = WindowCovers(
            ownCover: nil,
            unlock: { [weak self] in
                self?.unlocks += 1
                while self?.mayUnlock == false { await Task.yield() }
                return self != nil
            })
        let controller = PrivacyScreenController(
            policy: policy, host: host, contents: contents, now: { [time] in time.now })
        let observer = LifecycleObserver(controller: controller, covers: host)
        LifecycleObserver.installed = observer
        observer.start()
        self.controller = controller
    }

    func name(_ scene: Int) -> String { "scene \(scene)" }

    /// The user passes the prompt that is there.
    func unlock() async {
        mayUnlock = true
        if controller?.screen.isAuthenticating == false { controller?.handle(.unlockRequested) }
        while controller?.screen.isAuthenticating == true { await Task.yield() }
    }

    func play(_ lifecycle: Lifecycle) {
        for step in lifecycle.steps { play(step) }
    }

    func play(_ step: LifecycleStep) {
        switch step {
        case .connect(let scene): system.connect(name(scene)) { build(in: $0) }
        case .willEnterForeground(let scene): system.willEnterForeground(name(scene))
        case .didActivate(let scene):
            system.didActivate(name(scene))
            // As an app does that wants its keyboard back.
            if controller?.screen.isCovered(SceneID(name(scene))) != true {
                for field in fields { field.becomeFirstResponder() }
            }
        case .willDeactivate(let scene): system.willDeactivate(name(scene))
        case .didEnterBackground(let scene):
            system.didEnterBackground(name(scene))
        case .disconnect(let scene): system.disconnect(name(scene))
        case .snapshot(let scene): pictures.append(system.picture(of: name(scene)))
        case .protectedData(let isAvailable): system.setProtectedData(isAvailable: isAvailable)
        case .wait(let time): self.time.advance(by: time)
        case .promptAppears: controller?.handle(.authenticationBegan)
        case .promptEnds: controller?.handle(.authenticationEnded)
        }
    }

    func build(in scene: UIWindowScene?) {
        let main = window(in: scene, level: .normal, text: "balance 1000", root: RootController())
        let field = UITextField()
        field.text = "typed in clear"
        main.rootViewController?.view.addSubview(field)
        fields.append(field)
        mainWindows.append(main)
        main.makeKeyAndVisible()
        field.becomeFirstResponder()
        delegate.window = main
        let sheet = UIViewController()
        sheet.view.backgroundColor = .systemBackground
        let label = UILabel()
        label.text = "card 4111"
        sheet.view.addSubview(label)
        main.rootViewController?.present(sheet, animated: false)
        // Apps without scenes that hide their window have no alert in a window of its own.
        if scene != nil, showsAlert { window(in: scene, level: .alert, text: "code 123456").isHidden = false }
    }

    @discardableResult
    func window(
        in scene: UIWindowScene?, level: UIWindow.Level, text: String, root: UIViewController = UIViewController()
    ) -> UIWindow {
        let window = scene.map { UIWindow(windowScene: $0) } ?? UIWindow(frame: UIScreen.main.bounds)
        window.windowLevel = level
        let label = UILabel()
        label.text = text
        root.view.addSubview(label)
        window.rootViewController = root
        windows.append(window)
        return window
    }
}

/// Waits until it holds, for 5 s at most; whether it does.
@MainActor
func eventually(_ holds: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(5)
    while !holds(), ContinuousClock.now < end { await Task.yield() }
    return holds()
}
