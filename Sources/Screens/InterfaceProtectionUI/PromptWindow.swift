// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import InterfaceProtection
public import UIKit

extension PrivacyScreen {
    /// Shows `controller` above the covers while `body` runs, and takes it away when that returns: a passcode screen
    /// for `unlock`. Its window is in the scene that is active, at `promptLevel`, and has the keys.
    ///
    /// Errors: those of `body`.
    @MainActor
    public static func prompting<R: Sendable>(
        with controller: UIViewController, _ body: () async throws -> R
    ) async rethrows -> R {
        let window = promptWindow()
        window?.windowLevel = promptLevel
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        // Hidden, it is no longer the key window: a cover takes the keys back.
        defer { window?.isHidden = true }
        return try await body()
    }

    @MainActor
    private static func promptWindow() -> UIWindow? {
        let scenes = (RunningApplication.current?.connectedScenes ?? []).compactMap { $0 as? UIWindowScene }
            .filter { SceneKind($0).isTheUsers }
        let scene =
            scenes.first { $0.activationState == .foregroundActive }
            ?? scenes.first { $0.activationState == .foregroundInactive }
        return scene.map { UIWindow(windowScene: $0) } ?? UIWindow.withoutScene()
    }
}

extension SceneKind {
    fileprivate var isTheUsers: Bool { self == .window || self == .desktopWindow }
}
#endif
