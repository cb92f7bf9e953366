// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A screen that shows confidential data (a card, a document), under the same policies as a secret field.
public final class ConfidentialScreen: ConfidentialContent {
    private let state: Locked<ClearingState>
    private let contents: ConfidentialContents
    private let shownIn: Locked<SceneID?>
    private let perform: @Sendable (ClearingState.Action) -> Void

    /// A screen whose data `perform` masks or clears. It is called on whatever thread the event came on, under no lock.
    public init(
        policy: ClearingPolicy = .standard,
        in contents: ConfidentialContents = .shared,
        scene: SceneID? = nil,
        perform: @escaping @Sendable (ClearingState.Action) -> Void
    ) {
        state = Locked(ClearingState(policy: policy))
        self.contents = contents
        shownIn = Locked(scene)
        self.perform = perform
        contents.add(self)
    }

    /// Shows the content no longer, and keeps it.
    public func mask() { perform(.mask) }

    /// Does what the policy says to `event`.
    public func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant = .now) {
        let action = state.withLock { $0.handle(event, at: now) }
        if action != .none { perform(action) }
        contents.deadlineChanged()
    }

    /// Clears the content if it has fallen due.
    public func expire(at now: ContinuousClock.Instant = .now) {
        if state.withLock({ $0.expire(at: now) }) { perform(.clear) }
    }

    /// The scene that shows it; nil: not known, then it is masked along with any scene.
    public var scene: SceneID? {
        get { shownIn.withLock { $0 } }
        set { shownIn.withLock { $0 = newValue } }
    }

    /// When the content falls due; nil: not by time.
    public var deadline: ContinuousClock.Instant? { state.withLock { $0.deadline } }
}
