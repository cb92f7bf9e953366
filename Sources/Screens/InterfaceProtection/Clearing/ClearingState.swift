// SPDX-License-Identifier: Apache-2.0

/// Applies a `ClearingPolicy` to one field or screen: events and times go in, what to do comes out.
public struct ClearingState: Sendable {
    /// What to do with the content.
    public enum Action: Sendable, Equatable {
        /// Nothing.
        case none
        /// Stop showing it; keep it.
        case mask
        /// Wipe it.
        case clear
    }

    /// The policy that decides.
    public let policy: ClearingPolicy

    private var hiddenUntil: ContinuousClock.Instant?
    private var backgroundUntil: ContinuousClock.Instant?

    /// A state for content that is on screen.
    public init(policy: ClearingPolicy = .standard) { self.policy = policy }

    /// When the content will be cleared unless an event prevents it; nil if no time is set.
    public var deadline: ContinuousClock.Instant? {
        switch (hiddenUntil, backgroundUntil) {
        case (let first?, let second?): min(first, second)
        case (let one, let other): one ?? other
        }
    }

    /// The action that `event` at `now` requires. Content that was due at `now` or before is cleared in any case.
    public mutating func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant) -> Action {
        let isDue = expire(at: now)
        let action = answer(to: event, at: now)
        return isDue ? .clear : action
    }

    /// Whether the content is due for clearing at `now`; if so, clear it.
    public mutating func expire(at now: ContinuousClock.Instant) -> Bool {
        guard let deadline, now >= deadline else { return false }
        (hiddenUntil, backgroundUntil) = (nil, nil)
        return true
    }

    private mutating func answer(to event: ClearingEvent, at now: ContinuousClock.Instant) -> Action {
        switch event {
        case .submitted: apply(policy.submitted, to: \.hiddenUntil, at: now)
        case .left: apply(policy.left, to: \.hiddenUntil, at: now)
        case .covered: apply(policy.covered, to: \.hiddenUntil, at: now)
        case .hidden: apply(policy.hidden, to: \.hiddenUntil, at: now)
        case .backgrounded: apply(policy.backgrounded, to: \.backgroundUntil, at: now)
        case .shown: forget(\.hiddenUntil)
        case .foregrounded: forget(\.backgroundUntil)
        case .userChanged, .locked: clearNow()
        }
    }

    private mutating func apply(
        _ answer: ClearingPolicy.Answer, to deadline: WritableKeyPath<Self, ContinuousClock.Instant?>,
        at now: ContinuousClock.Instant
    ) -> Action {
        switch answer {
        case .clear: return clearNow()
        case .keep: return .mask
        case .clearAfter(let time):
            // Hidden twice counts from the first time: a repeated event must not extend the deadline.
            let due = now + time
            self[keyPath: deadline] = min(self[keyPath: deadline] ?? due, due)
            return .mask
        }
    }

    private mutating func forget(_ deadline: WritableKeyPath<Self, ContinuousClock.Instant?>) -> Action {
        self[keyPath: deadline] = nil
        return .none
    }

    private mutating func clearNow() -> Action {
        (hiddenUntil, backgroundUntil) = (nil, nil)
        return .clear
    }
}

/// Distinguishes a screen that is left from one whose dismissal is cancelled.
///
/// A back-swipe or the drag of a sheet that the user doesn't finish begins like one that is finished. Clearing
/// therefore waits for the end of the transition; masking doesn't.
public struct LeavingState: Sendable {
    /// What the system reports about a screen. `reason` is what its controllers report at that moment: left, covered
    /// or hidden.
    public enum Step: Sendable, Equatable {
        /// It may disappear.
        case willDisappear(ClearingEvent)
        /// It has disappeared.
        case didDisappear(ClearingEvent)
        /// It has appeared, or stayed after all.
        case didAppear
    }

    /// What to do with its content.
    public enum Answer: Sendable, Equatable {
        /// Show it masked; keep it.
        case mask
        /// Pass this event to it.
        case tell(ClearingEvent)
    }

    private var announced: ClearingEvent?

    /// A state for a screen that is visible.
    public init() {}

    /// What follows from `step`.
    public mutating func handle(_ step: Step) -> Answer {
        switch step {
        case .willDisappear(let reason):
            announced = reason
            return .mask
        case .didDisappear(let reason):
            // A controller may know less at the end than at the beginning: the more serious of the two reasons applies.
            let reasons = [announced, reason]
            announced = nil
            return .tell([ClearingEvent.left, .covered].first(where: reasons.contains) ?? .hidden)
        case .didAppear:
            announced = nil
            return .tell(.shown)
        }
    }
}
