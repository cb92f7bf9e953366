// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// What to do. Each is idempotent: to cover what is covered must do nothing that can be seen.
    public enum Action: Sendable, Equatable {
        /// Put the cover over everything of this scene, at once, without animation, before returning to the system.
        case cover(SceneID, CoverStyle)
        /// Take the cover off.
        case uncover(SceneID)
        /// The scene is gone: free its cover.
        case discardCover(SceneID)
        /// End editing, so that no keyboard stands above the cover.
        case endEditing(SceneID)
        /// Mask what secret fields of this scene reveal.
        case maskSecrets(SceneID)
        /// A lock fell due: secrets are to be cleared (`ClearingEvent.locked`).
        case lock(LockEpisode)
        /// Ask the user to unlock; answer with `Event.unlocked`. Given once for each lock, and again only when asked for.
        case requireUnlock(LockEpisode)
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
    /// No cover: the app delegate's window is hidden, and shown again. For apps without scenes only; where there are scenes
    /// this is `blank`, since a hidden main window leaves its scene without a key window.
    case hideWindow
}
