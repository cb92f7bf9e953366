// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension SecretField {
    /// One bullet for each code point.
    public var maskedText: String { String(repeating: "•", count: count) }

    /// Shows the content for `time`; masked again then, and before that by whatever takes the user away.
    public func reveal(for time: Duration = .seconds(5)) {
        let until = now() + time
        change { $0.revealedUntil = until }
    }

    /// Whether the content may be shown now.
    public var isRevealed: Bool {
        let instant = now()
        return use { state in state.revealedUntil.map { instant < $0 } ?? false }
    }

    /// Shows the content no longer, and keeps it.
    public func mask() { change { $0.revealedUntil = nil } }

    /// The content as a string while it is revealed, else nil. A string can't be wiped: it is for drawing, at once.
    public func exposingRevealedText() -> String? {
        guard isRevealed else { return nil }
        return try? withBytes { UTF8Text.string(Span(_bytes: $0)) }
    }
}

extension SecretField {
    /// Does what the policy says to `event`.
    public func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant) {
        change { state in
            switch state.clearing.handle(event, at: now) {
            case .none: break
            case .mask: state.revealedUntil = nil
            case .clear: state.wipe()
            }
        }
        contents.deadlineChanged()
    }

    /// The same, now.
    public func handle(_ event: ClearingEvent) { handle(event, at: now()) }

    /// Clears the content if it has fallen due.
    public func expire(at now: ContinuousClock.Instant) {
        let wasCleared = state.withLock { state in
            guard state.clearing.expire(at: now) else { return false }
            state.wipe()
            return true
        }
        if wasCleared { change { _ in } }
    }

    /// When the content falls due; nil: not by time.
    public var deadline: ContinuousClock.Instant? { state.withLock { $0.clearing.deadline } }
}
