// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension SecretField {
    /// One bullet for each code point.
    public var maskedText: String { String(repeating: "•", count: count) }

    /// Reveals the content for `time`, then masks it again. Any event that takes the user away masks it earlier.
    public func reveal(for time: Duration = .seconds(5)) {
        let until = now() + time
        change { $0.revealedUntil = until }
    }

    /// Whether the content may be shown now.
    public var isRevealed: Bool {
        let instant = now()
        return use { state in state.revealedUntil.map { instant < $0 } ?? false }
    }

    /// When the content will be masked again; nil if it is masked.
    public var revealDeadline: ContinuousClock.Instant? {
        let instant = now()
        return use { state in state.revealedUntil.flatMap { instant < $0 ? $0 : nil } }
    }

    /// Whether `text` equals the content. No string is made of the content.
    public func hasContent(_ text: String) -> Bool {
        let same = try? withBytes { bytes in
            let content = Span<UInt8>(_bytes: bytes)
            var index = 0
            for byte in text.utf8 {
                guard index < content.count, byte == content[index] else { return false }
                index += 1
            }
            return index == content.count
        }
        return same ?? false
    }

    /// The content as a string, revealed or not, for a view that keeps its own string. That string can't be wiped.
    public func exposingText() -> String? { try? withBytes { UTF8Text.string(Span(_bytes: $0)) } }

    /// Stops showing the content, and keeps it.
    public func mask() { change { $0.revealedUntil = nil } }

    /// The content as a string while it is revealed, otherwise nil. A string can't be wiped: draw it at once, and don't
    /// keep it.
    public func exposingRevealedText() -> String? {
        isRevealed ? exposingText() : nil
    }
}

extension SecretField {
    /// Applies the policy to `event`.
    public func handle(_ event: ClearingEvent, at now: ContinuousClock.Instant) {
        change { state in
            switch state.clearing.handle(event, at: now) {
            case .none: break
            case .mask: state.revealedUntil = nil
            case .clear:
                let isSubmitted = event == .submitted || ((state.isSubmitted || state.isLent) && event != .userChanged)
                state.wipe()
                state.isSubmitted = isSubmitted
            }
        }
        contents.deadlineChanged()
    }

    /// Applies the policy to `event`, which happens now.
    public func handle(_ event: ClearingEvent) { handle(event, at: now()) }

    /// Clears the content if it is due.
    public func expire(at now: ContinuousClock.Instant) {
        let wasCleared = state.withLock { state in
            guard state.clearing.expire(at: now) else { return false }
            state.wipe()
            return true
        }
        if wasCleared { tellObservers() }
    }

    /// When the content is due for clearing; nil if no time is set.
    public var deadline: ContinuousClock.Instant? { state.withLock { $0.clearing.deadline } }
}
