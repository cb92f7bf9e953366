// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A screen that shows confidential data (a card, a document), under the same policies as a secret field.
public final class ConfidentialScreen: ConfidentialContent {
    private let state: Locked<ClearingState>
    private let contents: ConfidentialContents
    private let shownIn: Locked<SceneID?>
    private let perform: @Sendable (ClearingState.Action) -> Void

    /// A screen whose data `perform` masks or clears. `perform` is called on the thread that delivers the event, with
    /// no lock held.
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

    /// Stops showing the content, and keeps it.
    public func mask() { perform(.mask) }

    /// Applies the policy to `event`.
    public func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant = .now) {
        let action = state.withLock { $0.handle(event, at: now) }
        if action != .none { perform(action) }
        contents.deadlineChanged()
    }

    /// Clears the content if it is due.
    public func expire(at now: ContinuousClock.Instant = .now) {
        if state.withLock({ $0.expire(at: now) }) { perform(.clear) }
    }

    /// The scene that shows the content; nil if unknown. Content of an unknown scene is masked along with any scene.
    public var scene: SceneID? {
        get { shownIn.withLock { $0 } }
        set { shownIn.withLock { $0 = newValue } }
    }

    /// When the content is due for clearing; nil if no time is set.
    public var deadline: ContinuousClock.Instant? { state.withLock { $0.deadline } }
}

/// A field or screen whose content is masked and cleared by a `ClearingPolicy`.
public protocol ConfidentialContent: AnyObject, Sendable {
    /// Stops showing the content, and keeps it.
    func mask()
    /// Applies the policy to `event`.
    func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant)
    /// Clears the content if it is due.
    func expire(at now: ContinuousClock.Instant)
    /// When the content is due for clearing; nil if no time is set.
    var deadline: ContinuousClock.Instant? { get }
    /// The scene that shows the content; nil if unknown. Content of an unknown scene is masked along with any scene.
    var scene: SceneID? { get }
}

extension ConfidentialContent {
    /// nil: unknown.
    public var scene: SceneID? { nil }
}

extension ContinuousClock {
    /// Waits until `deadline`, at any distance, or until the task is cancelled. The system's own sleep traps on a time
    /// that it can't count in nanoseconds, such as one that means "never".
    static func wait(until deadline: Instant) async {
        while !Task.isCancelled, .now < deadline {
            try? await Task.sleep(until: min(deadline, .now + .seconds(86_400)), clock: .continuous)
        }
    }
}

/// A weak list of all confidential content, for events that affect the whole app.
public final class ConfidentialContents: Sendable {
    /// The list that every `SecretField` and `ConfidentialScreen` is in unless it is given another.
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

    /// Lists `content` for its lifetime, and doesn't retain it.
    public func add(_ content: any ConfidentialContent) {
        state.withLock { state in
            state.entries.removeAll { $0.content == nil }
            state.entries.append(Entry(content: content))
        }
    }

    /// Passes `event` to all content. None is called with a lock held.
    public func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant = .now) {
        for content in living { content.handle(event, at: now) }
    }

    /// Masks all content.
    public func maskAll() {
        for content in living { content.mask() }
    }

    /// Masks what `scene` shows and content whose scene is unknown. What another scene shows stays unchanged.
    public func mask(in scene: SceneID) {
        for content in living where content.scene == nil || content.scene == scene { content.mask() }
    }

    /// Clears what is due.
    public func expire(at now: ContinuousClock.Instant = .now) {
        for content in living { content.expire(at: now) }
    }

    /// When the first content is due; nil if none ever is.
    public var deadline: ContinuousClock.Instant? { living.compactMap(\.deadline).min() }

    private var living: [any ConfidentialContent] { state.withLock { $0.entries }.compactMap(\.content) }

    /// Schedules clearing of the content that is due next. Content calls this when its deadline has changed.
    ///
    /// A suspended app doesn't wake up. What became due meanwhile is cleared at its return, before a cover can
    /// come off.
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
