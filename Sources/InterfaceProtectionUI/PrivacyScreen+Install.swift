// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
public import InterfaceProtection
public import UIKit

extension PrivacyScreen {
    /// Puts the app under a privacy screen: every scene that is there, and every one that is to come.
    ///
    /// Call it once, in `application(_:didFinishLaunchingWithOptions:)` or in the initializer of a SwiftUI `App`; a second call
    /// answers the controller of the first. Nothing else is needed: no delegate method, with scenes or without.
    /// - `ownCover` makes the cover's content for the style `.ownView`, once for each scene. Let it have a button that sends
    ///   `.unlockRequested`; with the other styles a touch anywhere does.
    /// - `unlock` asks the user to prove who it is (`LAContext`, a passcode) and answers whether that worked. It is called only
    ///   when a lock fell due.
    @MainActor @discardableResult
    public static func install(
        policy: Policy = .standard,
        ownCover: (@MainActor () -> UIViewController)? = nil,
        unlock: @escaping @MainActor () async -> Bool = { true }
    ) -> PrivacyScreenController {
        if let installed = LifecycleObserver.installed { return installed.controller }
        let host = WindowCovers(ownCover: ownCover, unlock: unlock)
        let observer = LifecycleObserver(controller: PrivacyScreenController(policy: policy, host: host), covers: host)
        LifecycleObserver.installed = observer
        observer.start()
        return observer.controller
    }
}
#endif
