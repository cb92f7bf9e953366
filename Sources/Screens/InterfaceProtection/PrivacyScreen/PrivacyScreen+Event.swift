// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// What happened. Events may be repeated, and may come in any order.
    public enum Event: Sendable, Equatable {
        /// `UIScene.willConnectNotification`: its cover goes on before any content is there.
        case sceneWillConnect(SceneID, kind: SceneKind = .window)
        /// `UIScene.willEnterForegroundNotification`.
        case sceneWillEnterForeground(SceneID)
        /// `UIScene.didActivateNotification`.
        case sceneDidActivate(SceneID)
        /// `UIScene.willDeactivateNotification`.
        case sceneWillDeactivate(SceneID)
        /// `UIScene.didEnterBackgroundNotification`.
        case sceneDidEnterBackground(SceneID)
        /// `UIScene.didDisconnectNotification`.
        case sceneDidDisconnect(SceneID)
        /// What the scene's `activationState` says, where no event has said it: at a late start, or to make sure.
        case sceneReported(SceneID, ScenePhase)

        /// `UIApplication.willResignActiveNotification`. With scenes it can only cover more, never less.
        case applicationWillResignActive
        /// `UIApplication.didBecomeActiveNotification`. Ignored where there are scenes: they speak for themselves.
        case applicationDidBecomeActive
        /// `UIApplication.didEnterBackgroundNotification`. With scenes it can only cover more, never less.
        case applicationDidEnterBackground
        /// `UIApplication.willEnterForegroundNotification`. Ignored where there are scenes.
        case applicationWillEnterForeground

        /// Whether files of class complete can be read: `isProtectedDataAvailable`, and its two notifications. While
        /// they can't be, everything stays covered: an app that runs before first unlock has nothing true to show.
        case protectedData(isAvailable: Bool)
        /// Whether `scene` is recorded, mirrored or shared: `sceneCaptureState`, earlier `UIScreen.isCaptured`.
        case recording(SceneID, isActive: Bool)
        /// `UIApplication.userDidTakeScreenshotNotification`.
        case screenshotTaken
        /// The host had no window to put a cover over: the scene is not covered, and counts as uncovered.
        case coverFailed(SceneID)
        /// The app is about to show an authentication prompt (Face ID, passcode), which makes its scene inactive.
        case authenticationBegan
        /// That prompt is gone, whatever came of it. If it unlocked the app, send `unlocked` first.
        case authenticationEnded

        /// Another policy applies from now on. If it locks at launch and the user has seen nothing yet, the app is locked.
        case policyChanged(Policy)
        /// The app wants a scene covered, or without one all of them, whatever the policy. A scene that isn't known yet is covered from its
        /// connection on.
        case coverRequested(SceneID? = nil)
        /// The app no longer wants that scene covered, or, without a scene, any of them.
        case coverReleased(SceneID? = nil)
        /// The app wants to be locked now.
        case lockRequested
        /// The user wants to unlock: asks again after an attempt that failed. Has no effect while a prompt is on the screen.
        case unlockRequested
        /// The user has proved who they are. The answer to an older lock than the present one unlocks nothing: the present one is asked for.
        case unlocked(LockEpisode)
    }
}

extension PrivacyScreen.Event {
    /// The scene of which the system is about to take a picture; `.application` stands for every scene.
    var scenePutInBackground: SceneID? {
        switch self {
        case .sceneDidEnterBackground(let scene), .sceneReported(let scene, .background): scene
        case .applicationDidEnterBackground: .application
        default: nil
        }
    }

    /// Whether protected data has to be asked about before it: what could uncover must not rest on a notification that came before
    /// anybody listened, or never came.
    var needsProtectedData: Bool {
        switch self {
        case .sceneWillEnterForeground, .sceneDidActivate, .sceneReported, .applicationDidBecomeActive,
            .applicationWillEnterForeground, .unlockRequested:
            true
        default: false
        }
    }
}

extension PrivacyScreen {
    /// What to do. Each is idempotent: to cover what is covered must do nothing that can be seen.
    public enum Action: Sendable, Equatable {
        /// Put the cover over everything of this scene, at once, without animation, before returning to the system. While it is on,
        /// assistive technology reaches nothing below it.
        case cover(SceneID, CoverStyle)
        /// Take the cover off.
        case uncover(SceneID)
        /// The scene is gone: free its cover.
        case discardCover(SceneID)
        /// Have the cover say why it is there, and offer what can be done. `.away`, for which a cover says nothing, is the
        /// cause of a new cover, and of one in the background.
        case explain(SceneID, Cause)
        /// The covered scene is active: keys, key commands and paste must go to the cover.
        case takeInput(SceneID)
        /// Give the keys back to the window that had them.
        case returnInput(SceneID)
        /// End editing, so that no keyboard stands above the cover.
        case endEditing(SceneID)
        /// Mask what secret fields of this scene reveal.
        case maskSecrets(SceneID)
        /// Blank the views of this scene that are marked as sensitive, or show them again.
        case redact(SceneID, Bool)
        /// The app is locked now: secrets are to be cleared (`ClearingEvent.locked`).
        case lock(LockEpisode)
        /// Ask the user to unlock; answer with `Event.unlocked`. Given once for each lock, and again only when asked for, or when the right
        /// answer came to an older lock.
        case requireUnlock(LockEpisode)
        /// Tell the app that a screenshot was taken.
        case reportScreenshot(Screenshot)
    }
}

/// What the user and the system's picture see instead of the content.
public enum CoverStyle: Sendable, Hashable {
    /// The background colour and nothing else.
    case blank
    /// An image of the app's bundle, on the background colour.
    case image(String)
    /// The view that the app made for it.
    case ownView
    /// No cover: the app delegate's window is hidden while the user is away, and shown again. For apps without scenes only; where there are
    /// scenes this is `blank`, since a hidden main window leaves its scene without a key window. It is `blank`, too, for every other reason
    /// to cover (a lock, say): then the user is there, and needs something to touch.
    case hideWindow
}
