// SPDX-License-Identifier: Apache-2.0

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
        /// Have the cover say why it is there, and offer what can be done. `.away` is what a new cover says, nothing, and what one says
        /// in the background.
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
        /// A lock fell due: secrets are to be cleared (`ClearingEvent.locked`).
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
