// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import InterfaceProtection
public import UIKit

extension PrivacyScreen {
    /// Puts the app under a privacy screen: every scene that is there, and every one that is to come.
    ///
    /// Call it in `application(_:didFinishLaunchingWithOptions:)` or in the initializer of a SwiftUI `App`, where there is no application
    /// yet: it waits for it. No delegate method is needed. A later call answers the same controller, and its policy, cover
    /// and `unlock` hold from then on.
    /// - `ownCover` makes the cover's content for the style `.ownView`, once for each scene. Let it have a button that sends
    ///   `.unlockRequested`; with the other styles a touch anywhere does.
    /// - `unlock` asks the user to prove who it is (`LAContext`, a passcode) and answers whether that worked. It is called only
    ///   when the app is locked: at launch, where the policy locks at all, and when a lock fell due. A view that it shows must be in a window
    ///   of `PrivacyScreen.promptLevel`; what is in any other is below the cover, and reached by nobody. It must end, and hide that window then;
    ///   until it does, nobody is asked again. With a policy that never locks, `{ false }` is right.
    @MainActor @discardableResult
    public static func install(
        policy: Policy = .standard,
        ownCover: (@MainActor () -> UIViewController)? = nil,
        unlock: @escaping @MainActor () async -> Bool
    ) -> PrivacyScreenController {
        if let installed = LifecycleObserver.installed {
            installed.covers.take(ownCover: ownCover, unlock: unlock)
            installed.controller.adopt(policy)
            return installed.controller
        }
        let host = WindowCovers(ownCover: ownCover, unlock: unlock)
        let observer = LifecycleObserver(controller: PrivacyScreenController(policy: policy, host: host), covers: host)
        LifecycleObserver.installed = observer
        observer.start()
        return observer.controller
    }

    /// The level of the covers' windows: above whatever an app shows, and below the system's keyboard, which a prompt needs. A window of the
    /// app's at this level or above it, `promptLevel` left out, is put below while a cover is on, and back where it was afterwards.
    @MainActor public static var coverLevel: UIWindow.Level { UIWindow.Level(rawValue: 9_000_000) }

    /// The level for a window with the app's own prompt to unlock: the only way above a cover. What is up to 99 above it counts as such, too.
    @MainActor public static var promptLevel: UIWindow.Level { UIWindow.Level(rawValue: 9_000_001) }
}
#endif
