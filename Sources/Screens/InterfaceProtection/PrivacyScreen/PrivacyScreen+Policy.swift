// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// When to cover, with what, and when to lock.
    public struct Policy: Sendable, Equatable {
        /// When a cover goes on.
        public enum Moment: Sendable, Equatable, CaseIterable {
            /// As soon as the scene is not active. No content shows in the app switcher. The cover is also seen at
            /// every alert, Face ID prompt and pull of Control Centre.
            case resign
            /// Once the scene is in the background. The system's picture shows no content, but the switcher does while
            /// the user's finger is still moving.
            case background
            /// Only when the app asks, when it is locked, or when it is recorded.
            case manual
        }

        /// When a cover goes on; `.resign` by default.
        public var covers: Moment
        /// What the cover shows; `.blank` by default.
        public var style: CoverStyle
        /// Lock after the user was away for this long; nil: never. On a phone that is the time in the background. A
        /// scene that is only inactive doesn't count: a prompt that answers a lock makes it inactive, and would be
        /// repeated forever. On a Mac it is also the time without an active window (`SceneKind.desktopWindow`).
        public var locksAfter: Duration?
        /// Lock after this long without a touch, a key or a movement of the pointer, in every phase of the app; nil:
        /// never. The lock falls due also in front of an active app that is not used. Zero or less counts as a second,
        /// since no unlock would last: to lock whenever the user leaves, set `locksAfter` to zero.
        public var locksAfterInactivity: Duration?
        /// Whether the app is locked when it starts, so that closing and reopening it reveals nothing. nil, the
        /// default: only if `locksAfter` or `locksAfterInactivity` is set.
        ///
        /// A program in a terminal is not locked at its start unless this is true: its user has just started it and is
        /// looking at it.
        public var locksAtLaunch: Bool?
        /// Cover a scene while it is recorded, mirrored or shared; true by default. If false, only views marked as
        /// sensitive are blanked.
        public var coversWhenRecorded: Bool
        /// Cover also behind the app's own authentication prompts; true by default. If false, leaving the app directly
        /// from such a prompt covers it only in the background.
        public var coversDuringAuthentication: Bool
        /// End editing in the background, since the keyboard is a window above every cover; true by default. Under a
        /// cover over an active scene, editing ends in any case.
        public var hidesKeyboard: Bool

        /// A policy. By default it covers as early as it can, and never locks: set `locksAfter` or
        /// `locksAfterInactivity` for that.
        public init(
            covers: Moment = .resign,
            style: CoverStyle = .blank,
            locksAfter: Duration? = nil,
            locksAfterInactivity: Duration? = nil,
            locksAtLaunch: Bool? = nil,
            coversWhenRecorded: Bool = true,
            coversDuringAuthentication: Bool = true,
            hidesKeyboard: Bool = true
        ) {
            self.covers = covers
            self.style = style
            self.locksAfter = locksAfter
            self.locksAfterInactivity = locksAfterInactivity
            self.locksAtLaunch = locksAtLaunch
            self.coversWhenRecorded = coversWhenRecorded
            self.coversDuringAuthentication = coversDuringAuthentication
            self.hidesKeyboard = hidesKeyboard
        }

        /// `time` without activity after which to act: never so short that it is over with each key.
        package static func inactivity(_ time: Duration) -> Duration { time > .zero ? time : .seconds(1) }

        /// Whether the app is locked when it starts.
        public var isLockedAtLaunch: Bool {
            locksAtLaunch ?? (locksAfter != nil || locksAfterInactivity != nil)
        }

        /// Covers when the scene resigns, with a blank cover; never locks.
        public static let standard = Policy()
    }
}

extension PrivacyScreen {
    /// The names of the invariants that don't hold. All must hold after every event.
    package func brokenInvariants() -> [String] {
        var broken: [String] = []
        for scene in scenes {
            if mustCover(scene), !scene.isCovered, !scene.couldNotBeCovered {
                broken.append("\(scene.id) must be covered")
            }
            if scene.isCovered, scene.phase == .foregroundActive, scene.kind.isTheUsers, !scene.holdsInput {
                broken.append("keys reach what \(scene.id) covers")
            }
            if scene.holdsInput, !scene.isCovered { broken.append("\(scene.id) keeps the keys without a cover") }
            if scene.isCovered, !scene.kind.canBeCovered { broken.append("\(scene.id) can't be covered") }
            if !mustCover(scene), scene.isCovered, scene.isShown {
                broken.append("\(scene.id) has a cover left behind")
            }
            if scene.isBehindOwnPrompt || scene.wasLeftForPrompt, scene.phase != .foregroundInactive {
                broken.append("\(scene.id) is taken to be behind a prompt")
            }
        }
        if Set(scenes.map(\.id)).count != scenes.count { broken.append("a scene is listed twice") }
        if scenes.count > 1, scenes.contains(where: { $0.id == .application }) {
            broken.append("the application counts as a scene beside others")
        }
        if pendingAuthentications < 0 { broken.append("fewer than no prompts") }
        if isLocked, !isAuthenticating, !hasAskedForUnlock,
            scenes.contains(where: { $0.kind.isTheUsers && $0.phase == .foregroundActive })
        {
            broken.append("locked, and no prompt to unlock was shown")
        }
        return broken
    }
}
