// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI) && (os(macOS) || (canImport(UIKit) && !os(tvOS) && !os(watchOS)))
public import InterfaceProtection
public import SwiftUI

extension Scene {
    /// Puts the whole app under a privacy screen: every window of every scene, including sheets and alerts.
    ///
    /// SwiftUI evaluates the body of the `App` before it shows any scene. So the screen is installed in time, whichever
    /// scene is restored or opened first, and one scene of the app is enough. Covers are no views of SwiftUI: those
    /// would be under every sheet. `unlock` is that of `PrivacyScreen.install`. The last policy and `unlock` apply.
    @MainActor
    public func privacyProtected(
        _ policy: PrivacyScreen.Policy = .standard, unlock: @escaping @MainActor () async -> Bool
    ) -> some Scene {
        PrivacyScreen.install(policy: policy, unlock: unlock)
        return self
    }

    /// The same, where an unlock yields the key of the content.
    @MainActor
    public func privacyProtected<Key: Sendable>(
        _ policy: PrivacyScreen.Policy = .standard, unlocking key: UnlockedKey<Key>
    ) -> some Scene {
        privacyProtected(policy) { await key.unlock() }
    }
}

extension View {
    /// The body of a view runs when its own scene is shown: another one, restored or opened by a link, would be bare.
    @available(*, unavailable, message: "put it on a scene of the App, as WindowGroup { ... }.privacyProtected { ... }")
    public func privacyProtected(
        _ policy: PrivacyScreen.Policy = .standard, unlock: @escaping @MainActor () async -> Bool
    ) -> some View { self }
}
#endif
