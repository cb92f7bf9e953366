// SPDX-License-Identifier: Apache-2.0

/// Decides when an app's content is covered: events go in, actions come out, nothing else happens here.
///
/// The rule is one of state, never of toggling: after every event each scene is compared with what the policy asks of
/// it, and an action is given where the two differ. A repeated, missing or doubled event therefore does no harm. A cover
/// goes on *before* the system can take its picture and is asserted once more when the scene is in the background; it
/// comes off only when its scene is active in the foreground.
///
/// The system's picture itself can't be prevented, only neutralised: what is photographed is the cover.
public struct PrivacyScreen: Sendable {
    /// What was asked for.
    public let policy: Policy

    var scenes: [SceneState] = []
    /// The app asked for a cover over everything, scenes that are still to come included.
    var isCoverRequested = false
    var isProtectedDataAvailable = true
    /// How many authentication prompts of ours are on screen.
    var pendingAuthentications = 0
    /// Since when no scene is in the foreground, though one was.
    var backgroundSince: ContinuousClock.Instant?
    /// Counts the times that a lock fell due, so that an answer to an older prompt unlocks nothing.
    var episode = LockEpisode(number: 0)
    /// Whether this lock has been announced; it is announced once, however often the scene comes and goes.
    var hasAskedForUnlock = false

    /// Whether an unlock is required before anything is shown.
    public internal(set) var isLocked = false

    /// A privacy screen that knows no scene yet.
    public init(policy: Policy = .standard) { self.policy = policy }

    /// Whether `scene` is covered now; a scene that isn't known is not.
    public func isCovered(_ scene: SceneID) -> Bool { scenes.first { $0.id == scene }?.isCovered ?? false }

    /// What `scene` is doing, as far as the events said; nil if it isn't known.
    public func phase(of scene: SceneID) -> ScenePhase? { scenes.first { $0.id == scene }?.phase }

    /// Whether an authentication prompt of the app is on the screen.
    public var isAuthenticating: Bool { pendingAuthentications > 0 }

    /// Takes `event` in and answers what to do now, in this order, before returning to the system.
    ///
    /// `now` is a clock that runs while the device sleeps and follows no change of the wall clock.
    public mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        apply(event, at: now, into: &actions)
        settle(reasserting: event.scenePutInBackground, into: &actions)
        return actions
    }
}

/// One time that a lock fell due.
public struct LockEpisode: Hashable, Sendable {
    let number: Int
}

extension PrivacyScreen {
    struct SceneState: Sendable {
        let id: SceneID
        var phase: ScenePhase
        var isCovered = false
        var isRecorded = false
        /// The app asked for a cover over this scene.
        var isCoverRequested = false
        /// Became inactive by a prompt of our own, with a policy that leaves the content visible behind it.
        var isBehindOwnPrompt = false
    }
}
