// SPDX-License-Identifier: Apache-2.0

/// Performs the actions of a `PrivacyScreen`: UIKit's windows, a terminal, a test.
///
/// Every call is made on the main actor, inside the system's notification, and must have taken effect when it returns.
@MainActor
public protocol ScreenHost: AnyObject {
    /// Covers all of `scene` at once, also from assistive technology. Covering a covered scene has no visible effect.
    /// Returns false if there is no window to cover: then the scene counts as not covered.
    func cover(_ scene: SceneID, with style: CoverStyle) -> Bool
    /// Makes the cover of `scene` explain why it is there.
    func explain(_ cause: PrivacyScreen.Cause, in scene: SceneID)
    /// Moves the keys of `scene` to its cover.
    func takeInput(of scene: SceneID)
    /// Gives the keys of `scene` back to their previous target.
    func returnInput(of scene: SceneID)
    /// Blanks the sensitive views of `scene`, or shows them again.
    func redact(_ scene: SceneID, isActive: Bool)
    /// Takes the cover of `scene` off.
    func uncover(_ scene: SceneID)
    /// `scene` is gone, and its cover with it.
    func discardCover(of scene: SceneID)
    /// Ends editing in `scene`, so that its keyboard disappears.
    func endEditing(in scene: SceneID)
    /// Asks the user to unlock; true on success. Called once for each `PrivacyScreen.Action.requireUnlock`.
    func requestUnlock() async -> Bool
    /// Whether files of class complete can be read now; nil if not yet known.
    var isProtectedDataAvailable: Bool? { get }
}

extension ScreenHost {
    /// Does nothing: there is no text to show.
    public func explain(_ cause: PrivacyScreen.Cause, in scene: SceneID) {}
    /// Does nothing, for hosts without keys.
    public func takeInput(of scene: SceneID) {}
    /// Does nothing, for hosts without keys.
    public func returnInput(of scene: SceneID) {}
    /// Does nothing, for hosts without sensitive views.
    public func redact(_ scene: SceneID, isActive: Bool) {}
    /// nil: unknown, so the state from the events applies.
    public var isProtectedDataAvailable: Bool? { nil }
}

/// Runs a `PrivacyScreen`: passes events to it, makes a host perform its actions, and reports to confidential content
/// what happened.
@MainActor
public final class PrivacyScreenController {
    /// The screen's state; only `handle` changes it.
    public private(set) var screen: PrivacyScreen
    /// The fields and screens that are masked and cleared with the events.
    public let contents: ConfidentialContents
    /// Called after the user took a screenshot.
    public var onScreenshot: ((PrivacyScreen.Screenshot) -> Void)?

    private let host: any ScreenHost
    private var waiting: ArraySlice<PrivacyScreen.Event> = []
    private var isCarryingOut = false
    private var timer: (due: ContinuousClock.Instant, task: Task<Void, Never>)?
    private let now: @Sendable () -> ContinuousClock.Instant

    /// A controller of a new screen. `now` is the clock; tests pass their own.
    public init(
        policy: PrivacyScreen.Policy = .standard,
        host: any ScreenHost,
        contents: ConfidentialContents = .shared,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        screen = PrivacyScreen(policy: policy)
        self.host = host
        self.contents = contents
        self.now = now
    }

    /// Handles an event. All its actions are done when this returns, except that the user is asked to unlock later.
    ///
    /// An event that arrives while another is being handled waits until that is done. It may come from the host or from
    /// what the host clears. Otherwise host and screen would disagree on the last event.
    ///
    /// Protected data is a level, not an event: the host is asked for it before any event that could uncover.
    public func handle(_ event: PrivacyScreen.Event) {
        waiting.append(event)
        guard !isCarryingOut else { return }
        isCarryingOut = true
        defer { isCarryingOut = false }
        while let event = waiting.popFirst() {
            if event.needsProtectedData, let isAvailable = host.isProtectedDataAvailable,
                isAvailable != screen.isProtectedDataAvailable
            {
                take(.protectedData(isAvailable: isAvailable))
            }
            take(event)
        }
        keepTime()
    }

    /// Sees to it that a lock that falls due while the app runs is not late. One that falls due while the app is
    /// suspended is found by the next event, before anything is uncovered.
    ///
    /// A timer that wakes up too early looks again, so that not every touch makes a new one.
    private func keepTime() {
        let due = screen.lockDeadline
        if let timer, let due, timer.due <= due { return }
        timer?.task.cancel()
        timer = due.map { due in
            // The time that is left by the clock of the app, which a test may have stopped.
            let end = ContinuousClock.now + (due - now())
            return (
                due,
                Task { [weak self] in
                    await ContinuousClock.wait(until: end)
                    guard !Task.isCancelled, let self else { return }
                    timer = nil
                    handle(.timePassed)
                }
            )
        }
    }

    /// Applies another policy from now on; does nothing if it is the same.
    public func adopt(_ policy: PrivacyScreen.Policy) {
        if policy != screen.policy { handle(.policyChanged(policy)) }
    }

    private func take(_ event: PrivacyScreen.Event) {
        let instant = now()
        let wasForeground = screen.isInForeground
        let actions = screen.handle(event, at: instant)
        let isForeground = screen.isInForeground
        // What became due while the app was away is cleared before a cover can come off. What leaves is covered before
        // it is cleared.
        if isForeground, !wasForeground { contents.handle(.foregrounded, at: instant) }
        for action in actions { carryOut(action, at: instant) }
        if wasForeground, !isForeground { contents.handle(.backgrounded, at: instant) }
    }

    private func carryOut(_ action: PrivacyScreen.Action, at instant: ContinuousClock.Instant) {
        switch action {
        case .cover(let scene, let style): if !host.cover(scene, with: style) { take(.coverFailed(scene)) }
        case .explain(let scene, let cause): host.explain(cause, in: scene)
        case .takeInput(let scene): host.takeInput(of: scene)
        case .returnInput(let scene): host.returnInput(of: scene)
        case .redact(let scene, let isActive): host.redact(scene, isActive: isActive)
        case .reportScreenshot(let screenshot): onScreenshot?(screenshot)
        case .uncover(let scene): host.uncover(scene)
        case .discardCover(let scene): host.discardCover(of: scene)
        case .endEditing(let scene): host.endEditing(in: scene)
        case .maskSecrets(let scene): contents.mask(in: scene)
        case .lock: contents.handle(.locked, at: instant)
        case .requireUnlock(let episode): requestUnlock(for: episode)
        }
    }

    private func requestUnlock(for episode: LockEpisode) {
        handle(.authenticationBegan)
        Task {
            let isUnlocked = await host.requestUnlock()
            // In this order: when a prompt is gone without an unlock, it may appear again.
            if isUnlocked { handle(.unlocked(episode)) }
            handle(.authenticationEnded)
        }
    }

    /// Runs one of the app's own prompts (for example, Face ID before a payment), so that the screen knows of it.
    public func authenticating<R: Sendable>(_ prompt: () async throws -> R) async rethrows -> R {
        handle(.authenticationBegan)
        defer { handle(.authenticationEnded) }
        return try await prompt()
    }
}
