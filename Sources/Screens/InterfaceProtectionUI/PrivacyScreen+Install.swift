// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import InterfaceProtection
public import UIKit

extension PrivacyScreen {
    /// Puts the app under a privacy screen: every scene that exists and every later one.
    ///
    /// Call it in `application(_:didFinishLaunchingWithOptions:)` or in the initializer of a SwiftUI `App`. There is no
    /// application there yet, and the screen waits for it. No delegate method is needed. A later call returns the same
    /// controller, and its policy, cover and `unlock` apply from then on.
    ///
    /// - `ownCover` makes the cover's content, in place of the policy's style, once for each scene. Give it a
    ///   background, and a button that sends `.unlockRequested`; with the other styles a touch anywhere does.
    /// - `unlock` authenticates the user (`LAContext`, a passcode) and returns whether that succeeded. It is called
    ///   only when the app is locked: at launch, if the policy locks at launch, and when a lock is due. A view that it
    ///   shows must be in a window of `PrivacyScreen.promptLevel`. In any other window it is below the cover, out of
    ///   the user's reach. It must return, and hide that window then; until it does, the user isn't prompted again.
    ///   With a policy that never locks, `{ false }` is right.
    @MainActor @discardableResult
    public static func install(
        policy: Policy = .standard,
        ownCover: (@MainActor () -> UIViewController)? = nil,
        unlock: @escaping @MainActor () async -> Bool
    ) -> PrivacyScreenController {
        var policy = policy
        if ownCover != nil { policy.style = .ownView }
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

    /// The same, where an unlock yields the key of the content: `key` has it until the next lock.
    @MainActor @discardableResult
    public static func install<Key: Sendable>(
        policy: Policy = .standard,
        ownCover: (@MainActor () -> UIViewController)? = nil,
        unlocking key: UnlockedKey<Key>
    ) -> PrivacyScreenController {
        install(policy: policy, ownCover: ownCover) { await key.unlock() }
    }

    /// The level of the covers' windows: above everything that an app shows, and below the system's keyboard, which a
    /// prompt needs. While a cover is on, any window of the app at or above this level is put below it, except at
    /// `promptLevel`. Afterwards it is put back.
    @MainActor public static var coverLevel: UIWindow.Level { UIWindow.Level(rawValue: 9_000_000) }

    /// The level for a window with the app's own unlock prompt: the only level above a cover. Levels up to 99 above it
    /// count as it, too.
    @MainActor public static var promptLevel: UIWindow.Level { UIWindow.Level(rawValue: 9_000_001) }
}
#endif
