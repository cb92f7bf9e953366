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

/// A field or screen whose content is masked and cleared by a `ClearingPolicy`.
public protocol ConfidentialContent: AnyObject, Sendable {
    /// Shows the content no longer, and keeps it.
    func mask()
    /// Does what the policy says to `event`.
    func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant)
    /// Clears the content if it has fallen due.
    func expire(at now: ContinuousClock.Instant)
    /// When the content falls due; nil: not by time.
    var deadline: ContinuousClock.Instant? { get }
    /// The scene that shows it; nil if that isn't known: then it is masked along with any scene.
    var scene: SceneID? { get }
}

extension ConfidentialContent {
    /// Not known.
    public var scene: SceneID? { nil }
}

extension ContinuousClock {
    /// Waits until `deadline`, however far away, or until the task is cancelled. The system's own sleep traps on a time that it can't count
    /// in nanoseconds: what was meant as "never".
    static func wait(until deadline: Instant) async {
        while !Task.isCancelled, .now < deadline {
            try? await Task.sleep(until: min(deadline, .now + .seconds(86_400)), clock: .continuous)
        }
    }
}

/// All confidential content that is alive, to be told of what happens to the whole app. Holds nothing alive itself.
public final class ConfidentialContents: Sendable {
    /// Where every `SecretField` and `ConfidentialScreen` is listed unless it is given another.
    public static let shared = ConfidentialContents()

    private struct Entry: Sendable {
        weak var content: (any ConfidentialContent)?
    }
    private struct State: Sendable {
        var entries: [Entry] = []
        var timer: Task<Void, Never>?
    }
    private let state = Locked(State())

    /// An empty list.
    public init() {}

    /// Lists `content` for as long as it lives.
    public func add(_ content: any ConfidentialContent) {
        state.withLock { state in
            state.entries.removeAll { $0.content == nil }
            state.entries.append(Entry(content: content))
        }
    }

    /// Tells all of them; none is called under a lock.
    public func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant = .now) {
        for content in living { content.handle(event, at: now) }
    }

    /// Masks all of them.
    public func maskAll() {
        for content in living { content.mask() }
    }

    /// Masks what `scene` shows, and what no scene is known of; what another scene shows stays as it is.
    public func mask(in scene: SceneID) {
        for content in living where content.scene == nil || content.scene == scene { content.mask() }
    }

    /// Clears what has fallen due.
    public func expire(at now: ContinuousClock.Instant = .now) {
        for content in living { content.expire(at: now) }
    }

    /// When the first of them falls due; nil: none does.
    public var deadline: ContinuousClock.Instant? { living.compactMap(\.deadline).min() }

    private var living: [any ConfidentialContent] { state.withLock { $0.entries }.compactMap(\.content) }

    /// Has the content that falls due next cleared in time; called by content whose deadline has changed. A suspended app
    /// doesn't wake up: what fell due meanwhile is cleared at its return, before a cover can come off.
    public func deadlineChanged() {
        let next = deadline
        state.withLock { state in
            state.timer?.cancel()
            state.timer = next.map { next in
                Task { [weak self] in
                    await ContinuousClock.wait(until: next)
                    guard !Task.isCancelled, let self else { return }
                    expire()
                    deadlineChanged()
                }
            }
        }
    }
}
