// SPDX-License-Identifier: Apache-2.0

/// Decides when an app's content is covered: events go in, actions come out, nothing else happens here.
///
/// The rule is one of state, never of toggling: after every event each scene is compared with what the policy asks of
/// it, and an action is given where the two differ. A repeated, missing or doubled event therefore does no harm. A cover
/// goes on *before* the system can take its picture and is asserted once more when the scene is in the background; it
/// comes off only when its scene is active in the foreground. A cover over an active scene takes the input as well.
///
/// The system's picture itself can't be prevented, only neutralised: what is photographed is the cover.
public struct PrivacyScreen: Sendable {
    /// What was asked for; changed by `Event.policyChanged`.
    public internal(set) var policy: Policy

    var scenes: [SceneState] = []
    /// Whether the app asked for a cover over everything, scenes that are still to come included.
    var isCoverRequested = false
    /// The scenes that the app wants covered, known or not; `.application` stands for all.
    var requested: Set<SceneID> = []
    /// The scenes that are recorded, known or not.
    var recorded: Set<SceneID> = []
    /// How many authentication prompts of ours are on screen.
    var pendingAuthentications = 0
    /// Whether the prompt that answers `requireUnlock` is, or may be, among them.
    var isUnlockPromptUp = false
    /// When the last of the user's scenes left the foreground; nil while one is there, or before one was.
    var backgroundSince: ContinuousClock.Instant?
    /// Counts the locks, so that an answer to an older prompt unlocks nothing.
    var episode = LockEpisode(number: 0)
    /// The last lock that was asked for.
    var asked: LockEpisode?
    /// Whether this lock has been announced; it is announced once, however often the scene comes and goes.
    var hasAskedForUnlock = false
    /// Whether the user has seen the app since it was started.
    var hasBeenActive = false
    /// Whether a scene of the user's has been in the foreground.
    var hasBeenInForeground = false

    /// Whether files of class complete can be read, as far as the events said.
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

    /// Whether `scene` is covered now; false for a scene that isn't known and for one that can't be covered.
    public func isCovered(_ scene: SceneID) -> Bool { self[scene]?.isCovered ?? false }

    /// Whether `scene` is covered, is not, or can't be.
    public func coverage(of scene: SceneID) -> Coverage {
        guard let state = self[scene], state.kind.canBeCovered, !state.couldNotBeCovered else { return .impossible }
        return state.isCovered ? .covered : .uncovered
    }

    /// Why `scene` is covered; nil if it isn't.
    public func cause(of scene: SceneID) -> Cause? { self[scene].flatMap { $0.isCovered ? cause(of: $0) : nil } }

    /// Whether the keys, too, go to the cover of `scene`.
    public func holdsInput(_ scene: SceneID) -> Bool { self[scene]?.holdsInput ?? false }

    /// Whether views of `scene` that are marked as sensitive are to be blanked, since it is recorded, mirrored or shared.
    public func isRedacted(_ scene: SceneID) -> Bool { recorded.contains(scene) }

    /// What `scene` is doing, as far as the events said; nil if it isn't known.
    public func phase(of scene: SceneID) -> ScenePhase? { self[scene]?.phase }

    /// What kind of scene `scene` is; nil if it isn't known.
    public func kind(of scene: SceneID) -> SceneKind? { self[scene]?.kind }

    /// Whether an authentication prompt of the app is on the screen.
    public var isAuthenticating: Bool { pendingAuthentications > 0 }

    /// Takes `event` in and returns what to do now, in this order, before returning to the system.
    ///
    /// `now` is the time by a clock that runs while the device sleeps and follows no change of the wall clock.
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
        /// It has no window to cover, or isn't known: nothing is promised of what it shows.
        case impossible
    }

    /// Why a scene is covered; if there are several reasons, the one that the user can do most about.
    public enum Cause: Sendable, Equatable, CaseIterable {
        /// An unlock is required.
        case locked
        /// The device has not been unlocked: protected data can't be read.
        case protectedDataUnavailable
        /// The scene is recorded, mirrored or shared.
        case recorded
        /// The app asked for a cover.
        case requested
        /// The user is somewhere else.
        case away
    }

    /// A screenshot that the user took. It is reported after the fact, and can't be prevented.
    public struct Screenshot: Sendable, Equatable {
        /// The scenes whose content it shows, as far as is known: those in the foreground that were not covered.
        public let scenes: [SceneID]
    }
}

/// One lock, from when it was due until it is opened.
public struct LockEpisode: Hashable, Sendable {
    let number: Int
}

extension PrivacyScreen {
    struct SceneState: Sendable {
        let id: SceneID
        var kind: SceneKind
        var phase: ScenePhase
        var isCovered = false
        /// What the cover was last asked to look like.
        var style: CoverStyle?
        /// What the cover was last asked to say.
        var told = Cause.away
        /// Whether the host had no window to cover; tried again at the next event.
        var couldNotBeCovered = false
        /// Whether the cover has the keys.
        var holdsInput = false
        /// Whether it became inactive because of the app's own prompt, with a policy that leaves the content visible behind it.
        var isBehindOwnPrompt = false

        /// Whether the user is in front of it.
        var isForeground: Bool { kind == .window && (phase == .foregroundActive || phase == .foregroundInactive) }
    }
}
