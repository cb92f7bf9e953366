// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// When to cover, with what, and when to lock.
    public struct Policy: Sendable, Equatable {
        /// When a cover goes on.
        public enum Moment: Sendable, Equatable, CaseIterable {
            /// As soon as the scene is not active. Nothing shows in the app switcher; the cover is also seen at every alert,
            /// Face ID prompt and pull of Control Centre.
            case resign
            /// Once the scene is in the background. Nothing shows in the system's picture; while the finger is still up in
            /// the switcher, the content does.
            case background
            /// Only when the app asks, when it is locked, or when it is recorded.
            case manual
        }

        /// When a cover goes on; `.resign` by default.
        public var covers: Moment
        /// What the cover shows; `.blank` by default.
        public var style: CoverStyle
        /// Lock when the app was in the background for this long; nil: never. Being inactive never locks: a prompt that
        /// answers a lock makes the app inactive, and would ask for ever.
        public var locksAfter: Duration?
        /// Whether the app is locked when it starts, so that to swipe it away and open it again opens nothing; nil, the
        /// default: only where `locksAfter` is set. (A program in a terminal is not locked at its start unless this is true:
        /// whoever started it is looking at it.)
        public var locksAtLaunch: Bool?
        /// Cover a scene while it is recorded, mirrored or shared; true by default. If false, only views that are marked
        /// as sensitive are blanked then.
        public var coversWhenRecorded: Bool
        /// Cover also behind the app's own authentication prompts; true by default. If false, a user who leaves
        /// straight from such a prompt is covered only in the background.
        public var coversDuringAuthentication: Bool
        /// End editing in the background, since the keyboard is a window above every cover; true by default. Under a cover
        /// over an active scene, editing ends in any case.
        public var hidesKeyboard: Bool

        /// A policy. Every part has its safest value unless it is given another.
        public init(
            covers: Moment = .resign,
            style: CoverStyle = .blank,
            locksAfter: Duration? = nil,
            locksAtLaunch: Bool? = nil,
            coversWhenRecorded: Bool = true,
            coversDuringAuthentication: Bool = true,
            hidesKeyboard: Bool = true
        ) {
            self.covers = covers
            self.style = style
            self.locksAfter = locksAfter
            self.locksAtLaunch = locksAtLaunch
            self.coversWhenRecorded = coversWhenRecorded
            self.coversDuringAuthentication = coversDuringAuthentication
            self.hidesKeyboard = hidesKeyboard
        }

        /// Whether the app is locked when it starts.
        public var isLockedAtLaunch: Bool { locksAtLaunch ?? (locksAfter != nil) }

        /// Covers when the scene resigns, with a blank cover; never locks.
        public static let standard = Policy()
    }
}

extension PrivacyScreen {
    /// What must hold after every event; the names of the rules that don't.
    package func brokenInvariants() -> [String] {
        var broken: [String] = []
        for scene in scenes {
            if mustCover(scene), !scene.isCovered, !scene.couldNotBeCovered {
                broken.append("\(scene.id) must be covered")
            }
            if scene.isCovered, scene.phase == .foregroundActive, scene.kind == .window, !scene.holdsInput {
                broken.append("keys reach what \(scene.id) covers")
            }
            if scene.holdsInput, !scene.isCovered { broken.append("\(scene.id) keeps the keys without a cover") }
            if scene.isCovered, !scene.kind.canBeCovered { broken.append("\(scene.id) can't be covered") }
            if !mustCover(scene), scene.isCovered, scene.phase == .foregroundActive {
                broken.append("\(scene.id) has a cover left behind")
            }
            if scene.isBehindOwnPrompt, scene.phase != .foregroundInactive {
                broken.append("\(scene.id) is taken to be behind a prompt")
            }
        }
        if Set(scenes.map(\.id)).count != scenes.count { broken.append("a scene is listed twice") }
        if scenes.count > 1, scenes.contains(where: { $0.id == .application }) {
            broken.append("the application counts as a scene beside others")
        }
        if pendingAuthentications < 0 { broken.append("fewer than no prompts") }
        if isLocked, !isAuthenticating, !hasAskedForUnlock,
            scenes.contains(where: { $0.kind == .window && $0.phase == .foregroundActive })
        {
            broken.append("locked, and nobody was asked to unlock")
        }
        return broken
    }
}
