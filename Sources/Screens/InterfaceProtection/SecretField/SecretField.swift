// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// The content of a password field, kept as a secret. It is masked, revealed for a moment, cleared by a
/// `ClearingPolicy`, and lent on submission and wiped afterwards.
///
/// These guarantees cover the bytes in the field. A Swift `String` or `UITextField.text` that the content came from, or
/// went to, is out of reach. It can't be wiped, and the system copies it freely. If the platform allows it, pass bytes
/// to a field, one key at a time.
///
/// Any thread may call; calls to one field wait for each other. A closure that is lent the bytes must not call
/// the field.
public final class SecretField: ConfidentialContent {
    /// The maximum UTF-8 bytes of the content.
    public let maximumBytes: Int
    /// When the content is cleared.
    public let policy: ClearingPolicy

    let contents: ConfidentialContents
    let state: Locked<State>
    let now: @Sendable () -> ContinuousClock.Instant

    struct State: ~Copyable {
        /// The bytes; nil: empty, or lent.
        var bytes: SecretBytes?
        var count = 0
        var revealedUntil: ContinuousClock.Instant?
        var clearing: ClearingState
        var isLent = false
        /// Whether an event cleared the field while its bytes were lent: they must not return.
        var mustNotReturn = false
        var isSubmitted = false
        var observers: [(number: Int, tell: @Sendable () -> Void)] = []
        var observations = 0
        var scene: SceneID?
    }

    /// An empty field. `now` is the clock; tests pass their own.
    public init(
        maximumBytes: Int = 1024,
        policy: ClearingPolicy = .standard,
        in contents: ConfidentialContents = .shared,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.maximumBytes = max(0, maximumBytes)
        self.policy = policy
        self.contents = contents
        self.now = now
        state = Locked(State(clearing: ClearingState(policy: policy)))
        contents.add(self)
    }

    /// The number of code points. It is 0 when the content is due for clearing, and while it is lent to `submit`.
    public var count: Int { use { $0.count } }

    /// Whether the field is empty.
    public var isEmpty: Bool { count == 0 }

    /// Whether a submission is in progress; the field can't be edited meanwhile.
    public var isLent: Bool { state.withLock { $0.isLent } }

    /// Whether a submission is in progress after which the content returns to the field if it is refused. False once an
    /// event cleared the field meanwhile.
    public var isExpectedBack: Bool { state.withLock { $0.isLent && !$0.mustNotReturn } }

    /// Whether a view may keep its own, masked text after this field was cleared, so that the system can save the
    /// password that is in it (Password AutoFill). So it is once the content was submitted and accepted, and while a
    /// submission is in progress. It ends with the next edit, with `clear()` and with a change of user.
    public var isSubmitted: Bool { state.withLock { $0.isSubmitted } }

    /// The scene that shows the field; nil if unknown. A field of an unknown scene is masked along with any scene.
    public var scene: SceneID? {
        get { state.withLock { $0.scene } }
        set { state.withLock { $0.scene = newValue } }
    }

    /// Calls `observer` after each change of what is drawn, on the thread of the change, with no lock held. It stops
    /// when the field is deallocated or the returned observation is cancelled.
    @discardableResult
    public func onChange(_ observer: @escaping @Sendable () -> Void) -> Observation {
        let number = state.withLock { state in
            state.observations += 1
            state.observers.append((state.observations, observer))
            return state.observations
        }
        return Observation(field: self, number: number)
    }

    /// An active observer.
    public struct Observation: Sendable {
        weak var field: SecretField?
        let number: Int

        /// Stops calling the observer.
        public func cancel() {
            field?.state.withLock { state in state.observers.removeAll { $0.number == number } }
        }
    }

    /// Wipes the content.
    public func clear() { change { $0.wipe() } }

    /// Lends the bytes to `body`: UTF-8, `count` code points. Errors: those of `body`, and `SecretMemory`'s own.
    public func withBytes<R: Sendable>(_ body: (RawSpan) throws -> R) throws -> R {
        try use { state in try state.lend(to: body) }
    }

    /// Whether both hold the same bytes. The time depends only on the lengths.
    public func hasSameContent(as other: SecretField) throws -> Bool {
        if other === self { return true }
        // Never holds both locks at once: two threads that compare the same two fields would deadlock.
        let copy = try other.copy()
        return try use { state in
            switch state.bytes {
            case .some(let own): return try own.isEqual(to: copy)
            case .none: return copy.count == 0
            }
        }
    }

    /// A copy of the content, wiped with its last use. Errors: `SecretMemory`'s own.
    public func copy() throws -> SecretBytes {
        try use { state in try state.copyOfBytes() }
    }
}

extension SecretField.State {
    /// Drops the bytes, which wipes them, and keeps lent ones from returning.
    mutating func wipe() {
        bytes = nil
        count = 0
        revealedUntil = nil
        mustNotReturn = isLent
        isSubmitted = false
    }

    borrowing func lend<R: ~Copyable>(to body: (RawSpan) throws -> R) throws -> R {
        switch bytes {
        case .some(let bytes): try bytes.withBytes(body)
        case .none: try body(RawSpan())
        }
    }

    borrowing func copyOfBytes() throws -> SecretBytes {
        try lend { span in
            try SecretBytes(count: span.byteCount) { $0.write(Span(_bytes: span), at: 0) }
        }
    }
}

extension SecretField {
    /// Reads the state, after clearing what is due. The caller that finds content due clears it and notifies the
    /// observers, so a later timer has nothing left to report.
    func use<R: ~Copyable & Sendable, Failure: Error>(
        _ body: (borrowing State) throws(Failure) -> R
    ) throws(Failure) -> R {
        expire(at: now())
        return try state.withLock { state throws(Failure) -> R in try body(state) }
    }

    /// Changes the state, after clearing what is due, and then notifies the observers.
    func change<R: ~Copyable & Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> R
    ) throws(Failure) -> R {
        expire(at: now())
        let result = try state.withLock { state throws(Failure) -> R in try body(&state) }
        tellObservers()
        return result
    }

    func tellObservers() {
        for observer in state.withLock({ $0.observers }) { observer.tell() }
    }
}

extension MutableRawSpan {
    /// Copies `source` to `offset`; both its start and its end must be inside.
    mutating func write(_ source: Span<UInt8>, at offset: Int) {
        for index in source.indices {
            storeBytes(of: source[index], toByteOffset: offset + index, as: UInt8.self)
        }
    }
}
