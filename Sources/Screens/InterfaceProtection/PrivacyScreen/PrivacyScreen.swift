// SPDX-License-Identifier: Apache-2.0

/// Decides when an app's content is covered: events go in, actions come out, without other effects.
///
/// The rule is one of state, never of toggling. After every event each scene is compared with what the policy requires,
/// and an action is given where the two differ. A repeated, missing or doubled event therefore does no harm.
///
/// A cover goes on *before* the system can take its picture. It is asserted once more when the scene is in the
/// background. It comes off only when its scene is active in the foreground, or on an external display, which is never
/// active, in the foreground. A cover over an active scene also takes the input.
///
/// The system's picture can't be prevented, only neutralised: it shows the cover.
public struct PrivacyScreen: Sendable {
    /// The policy; changed by `Event.policyChanged`.
    public internal(set) var policy: Policy

    var scenes: [SceneState] = []
    /// Whether the app asked for a cover over everything, including scenes still to connect.
    var isCoverRequested = false
    /// The scenes that the app wants covered, known or not; `.application` represents all.
    var requested: Set<SceneID> = []
    /// The scenes that are recorded, known or not.
    var recorded: Set<SceneID> = []
    /// How many of the app's authentication prompts are on screen.
    var pendingAuthentications = 0
    /// Whether the prompt that answers `requireUnlock` is, or may be, among them.
    var isUnlockPromptUp = false
    /// Since when none of the user's scenes is in the foreground: the last one left it, or the app was launched without
    /// one there. Nil while one is there, and while the first one of a launch is being connected.
    var backgroundSince: ContinuousClock.Instant?
    /// When the user last touched, typed, moved the pointer, came back or unlocked; nil before the first time.
    var lastActivity: ContinuousClock.Instant?
    /// Counts the locks, so that an answer to an older prompt unlocks nothing.
    var episode = LockEpisode(number: 0)
    /// The last lock for which the user was prompted.
    var asked: LockEpisode?
    /// Whether the user was already prompted for this lock. Reset by a new lock and by entering the background, unless
    /// an unlock prompt is up, and by `unlockRequested`.
    var hasAskedForUnlock = false
    /// Whether the user has seen the app since its start.
    var hasBeenActive = false
    /// Whether a scene of the user's was ever in the foreground.
    var hasBeenInForeground = false

    /// Whether files of class complete can be read, by the events so far.
    public internal(set) var isProtectedDataAvailable = true
    /// Whether an unlock is required before anything is shown.
    public internal(set) var isLocked = false

    /// A privacy screen that knows no scene yet; locked if `policy` locks at launch.
    public init(policy: Policy = .standard) {
        self.policy = policy
        guard policy.isLockedAtLaunch else { return }
        isLocked = true
        episode = LockEpisode(number: 1)
    }

    /// Whether `scene` is covered now; false for an unknown scene and for one that can't be covered.
    public func isCovered(_ scene: SceneID) -> Bool { self[scene]?.isCovered ?? false }

    /// Whether `scene` is covered, uncovered or impossible to cover.
    public func coverage(of scene: SceneID) -> Coverage {
        guard let state = self[scene], state.kind.canBeCovered, !state.couldNotBeCovered else { return .impossible }
        return state.isCovered ? .covered : .uncovered
    }

    /// Why `scene` is covered; nil if it isn't.
    public func cause(of scene: SceneID) -> Cause? { self[scene].flatMap { $0.isCovered ? cause(of: $0) : nil } }

    /// Whether the keys also go to the cover of `scene`.
    public func holdsInput(_ scene: SceneID) -> Bool { self[scene]?.holdsInput ?? false }

    /// Whether views of `scene` marked as sensitive must be blanked because it is recorded, mirrored or shared.
    public func isRedacted(_ scene: SceneID) -> Bool { recorded.contains(scene) }

    /// The phase of `scene`, by the events so far; nil if unknown.
    public func phase(of scene: SceneID) -> ScenePhase? { self[scene]?.phase }

    /// The kind of `scene`; nil if unknown.
    public func kind(of scene: SceneID) -> SceneKind? { self[scene]?.kind }

    /// Whether an authentication prompt of the app is on the screen.
    public var isAuthenticating: Bool { pendingAuthentications > 0 }

    /// When the app falls due to be locked; nil: at no time, or it is locked. Pass `.timePassed` then: an app that is
    /// not touched gets no other event. Every other event locks as well, once the time of inactivity is over.
    public var lockDeadline: ContinuousClock.Instant? {
        guard !isLocked else { return nil }
        let due = [
            policy.locksAfterInactivity.flatMap { limit in lastActivity.map { $0 + Policy.inactivity(limit) } },
            policy.locksAfter.flatMap { limit in backgroundSince.map { $0 + limit } },
        ]
        return due.compactMap(\.self).min()
    }

    /// Applies `event` and returns the actions to perform now, in this order, before returning to the system.
    ///
    /// `now` is the time of a clock that runs while the device sleeps and ignores changes of the wall clock.
    public mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        apply(event, at: now, into: &actions)
        settle(reasserting: event.scenePutInBackground, into: &actions)
        return actions
    }

    subscript(scene: SceneID) -> SceneState? { scenes.first { $0.id == scene } }
}

extension PrivacyScreen {
    /// Whether a scene is covered.
    public enum Coverage: Sendable, Equatable {
        /// Its content can't be seen.
        case covered
        /// Its content can be seen.
        case uncovered
        /// It has no window to cover, or is unknown: nothing is promised about what it shows.
        case impossible
    }

    /// Why a scene is covered. Of several reasons, it is the one that the user can do most about.
    public enum Cause: Sendable, Equatable, CaseIterable {
        /// An unlock is required.
        case locked
        /// The device has not been unlocked: protected data can't be read.
        case protectedDataUnavailable
        /// The scene is recorded, mirrored or shared.
        case recorded
        /// The app asked for a cover.
        case requested
        /// The user is elsewhere.
        case away
    }

    /// A screenshot that the user took. It is reported afterwards, and can't be prevented.
    public struct Screenshot: Sendable, Equatable {
        /// The scenes whose content it shows, as far as known: those in the foreground that were not covered.
        public let scenes: [SceneID]
    }
}

/// One lock, from the moment it was due until it is opened.
public struct LockEpisode: Hashable, Sendable {
    let number: Int
}

extension PrivacyScreen {
    struct SceneState: Sendable {
        let id: SceneID
        var kind: SceneKind
        var phase: ScenePhase
        var isCovered = false
        /// The style that the cover was last given.
        var style: CoverStyle?
        /// The cause that the cover was last given to explain.
        var told = Cause.away
        /// Whether the host had no window to cover; tried again at the next event.
        var couldNotBeCovered = false
        /// Whether the cover has the keys.
        var holdsInput = false
        /// Whether it became inactive because of the app's own prompt, under a policy that leaves the content visible
        /// behind it.
        var isBehindOwnPrompt = false
        /// Whether it became inactive while a prompt of the app's own was on the screen.
        var wasLeftForPrompt = false

        /// Whether the user is in front of it.
        var isForeground: Bool {
            switch kind {
            case .window: phase == .foregroundActive || phase == .foregroundInactive
            case .desktopWindow: phase == .foregroundActive || (phase == .foregroundInactive && wasLeftForPrompt)
            case .externalDisplay, .withoutWindow: false
            }
        }

        /// Whether it is shown as a whole, so that a cover may come off. The system activates no external display.
        var isShown: Bool {
            phase == .foregroundActive || (kind == .externalDisplay && phase == .foregroundInactive)
        }
    }
}
