// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// What happened. Events may be repeated and may arrive in any order.
    public enum Event: Sendable, Equatable {
        /// `UIScene.willConnectNotification`: the cover goes on before any content is there.
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
        /// The scene's `activationState`, where no event reported it: at a late start, or as a check.
        case sceneReported(SceneID, ScenePhase)

        /// `UIApplication.willResignActiveNotification`. With scenes it can only cover more, never less.
        case applicationWillResignActive
        /// `UIApplication.didBecomeActiveNotification`. Ignored if there are scenes: they report for themselves.
        case applicationDidBecomeActive
        /// `UIApplication.didEnterBackgroundNotification`. With scenes it can only cover more, never less.
        case applicationDidEnterBackground
        /// `UIApplication.willEnterForegroundNotification`. Ignored if there are scenes.
        case applicationWillEnterForeground

        /// Whether files of class complete can be read: `isProtectedDataAvailable` and its two notifications. While
        /// they can't, everything stays covered unless the policy covers manually: an app that runs before first unlock
        /// has nothing true to show.
        case protectedData(isAvailable: Bool)
        /// Whether `scene` is recorded, mirrored or shared: `sceneCaptureState`, before that `UIScreen.isCaptured`.
        case recording(SceneID, isActive: Bool)
        /// `UIApplication.userDidTakeScreenshotNotification`.
        case screenshotTaken
        /// The host had no window to cover: the scene is not covered, and counts as uncovered.
        case coverFailed(SceneID)
        /// The app is about to show an authentication prompt (Face ID, passcode), which makes its scene inactive.
        case authenticationBegan
        /// That prompt is gone, with any result. If it unlocked the app, send `unlocked` first.
        case authenticationEnded

        /// The user touched the screen, pressed a key or moved the pointer.
        case userActed
        /// Nothing happened but that time passed; due at `PrivacyScreen.lockDeadline`.
        case timePassed

        /// Another policy applies from now on. If it locks at launch and the user has seen nothing yet, the app
        /// is locked.
        case policyChanged(Policy)
        /// The app wants a scene covered, or all scenes if nil, under any policy. An unknown scene is covered as soon
        /// as it connects.
        case coverRequested(SceneID? = nil)
        /// The app no longer wants that scene covered, or any scene if nil.
        case coverReleased(SceneID? = nil)
        /// The app asks to be locked now.
        case lockRequested
        /// The user wants to unlock: asks again after a failed attempt. Has no effect while a prompt is on the screen.
        case unlockRequested
        /// The user has authenticated. An answer to an older lock than the present one unlocks nothing: the user is
        /// prompted for the present one.
        case unlocked(LockEpisode)
    }
}

extension PrivacyScreen.Event {
    /// The scene of which the system is about to take a picture; `.application` represents every scene.
    var scenePutInBackground: SceneID? {
        switch self {
        case .sceneDidEnterBackground(let scene), .sceneReported(let scene, .background): scene
        case .applicationDidEnterBackground: .application
        default: nil
        }
    }

    /// Whether the host must ask for the state of protected data before this event. An event that could uncover must
    /// not rely on a notification that was missed or never arrived.
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
    /// What to do. Each action is idempotent: covering a covered scene must have no visible effect.
    public enum Action: Sendable, Equatable {
        /// Cover all of this scene at once, without animation, before returning to the system. While the cover is on,
        /// assistive technology reaches nothing below it.
        case cover(SceneID, CoverStyle)
        /// Take the cover off.
        case uncover(SceneID)
        /// The scene is gone: free its cover.
        case discardCover(SceneID)
        /// Make the cover explain why it is there, and offer what can be done. `.away`, for which a cover says nothing,
        /// is the cause of a new cover and of one in the background.
        case explain(SceneID, Cause)
        /// The covered scene is active: keys, key commands and paste must go to the cover.
        case takeInput(SceneID)
        /// Give the keys back to the window that had them.
        case returnInput(SceneID)
        /// End editing, so that no keyboard is above the cover.
        case endEditing(SceneID)
        /// Mask what the secret fields of this scene reveal.
        case maskSecrets(SceneID)
        /// Blank the views of this scene that are marked as sensitive, or show them again.
        case redact(SceneID, Bool)
        /// The app is now locked: clear secrets (`ClearingEvent.locked`).
        case lock(LockEpisode)
        /// Ask the user to unlock; answer with `Event.unlocked`.
        ///
        /// Given once for each lock. It is given again on request, after the app was in the background, or when the
        /// right answer was for an older lock.
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
    /// The app's own view.
    case ownView
    /// No cover: the app delegate's window is hidden while the user is away, and then shown again.
    ///
    /// Only for apps without scenes. With scenes this is `blank`, since a hidden main window leaves its scene without a
    /// key window. It is also `blank` for every other cause, such as a lock: then the user is present and needs
    /// something to touch.
    case hideWindow
}
