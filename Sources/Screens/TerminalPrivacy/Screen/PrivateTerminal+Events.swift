// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory

extension PrivateTerminal {
    /// The next event; nil when the terminal is gone, which ends the program. Waits at most `timeout`, or without a
    /// limit if nil.
    ///
    /// This call also handles covers, clearing and time limits, so a program must call it often. Errors:
    /// `.system`, `.noMemory`.
    public func next(timeout: Duration? = nil) throws(TerminalError) -> Event? {
        let end = timeout.map { ContinuousClock.now + $0 }
        while true {
            if !events.isEmpty { return isLocked ? events.removeFirst().whileLocked : events.removeFirst() }
            let wakeup = try device.wait(time(until: end))
            // A stop came after this program last ran, and no later than now.
            if wakeup.contains(.continued) { sleepAfterStop() }
            lastRun = .now
            seeToOutput()
            // Before what was typed is handled: a key that comes too late doesn't prolong a time.
            try seeToTime()
            if wakeup.contains(.resized) { resize() }
            if wakeup.contains(.input) {
                guard try read() else { return nil }
            } else {
                for input in parser.decide() { handle(input) }
            }
            try seeToTime()
            if events.isEmpty, let end, ContinuousClock.now >= end { return .timeout }
        }
    }

    private static let wheel: Set<Key> = [.up, .down]

    /// The longest time to wait at once: while the machine sleeps, the wait is suspended, and the deadlines are not.
    private static let patience = Duration.seconds(15)
    /// How often to look whether a terminal takes output again.
    private static let outputPatience = Duration.milliseconds(200)

    /// How long to wait: until the earliest deadline.
    private func time(until end: ContinuousClock.Instant?) -> Duration? {
        var instants = [end, contents.deadline, clipboard?.due, lockDue, parser.due].compactMap(\.self)
        if isAwake { instants.append(coverDue) }
        if isStalled { instants.append(.now + Self.outputPatience) }
        return instants.min().map { min(max(.zero, $0 - .now), Self.patience) }
    }

    /// When to cover a screen at which no key was pressed.
    private var coverDue: ContinuousClock.Instant {
        lastKey + PrivacyScreen.Policy.inactivity(policy.coversAfterInactivity)
    }

    /// When to lock: no key was pressed, or the user was away, for too long. A program in a terminal keeps running
    /// behind its cover, so the lock needn't wait for the return.
    private var lockDue: ContinuousClock.Instant? {
        guard !isLocked else { return nil }
        let limits = [
            locksAfterInactivity.map { lastKey + PrivacyScreen.Policy.inactivity($0) },
            asleepSince.flatMap { since in policy.screen.locksAfter.map { since + $0 } },
        ]
        return limits.compactMap(\.self).min()
    }

    /// Handles all deadlines that have passed.
    private func seeToTime() throws(TerminalError) {
        let now = ContinuousClock.now
        contents.expire(at: now)
        if let due = lockDue, now >= due { lock() }
        if isAwake, now >= coverDue { sleep(.inactivity) }
        try seeToClipboard(at: now)
    }

    private func sleepAfterStop() {
        // The screen is blank, as after every take-over. The cover is on before anything else is drawn.
        sleep(.stopped, since: lastRun)
        resize()
    }

    /// Returns false when the terminal is gone.
    private func read() throws(TerminalError) -> Bool {
        guard let bytes = try device.read() else { return false }
        do {
            let inputs = try bytes.withBytes { try parser.parse(Span(_bytes: $0)) }
            for input in inputs { handle(input) }
        } catch {
            throw TerminalError(.noMemory, "no memory for what was pasted")
        }
        return true
    }

    private func handle(_ input: TerminalInput) {
        switch input {
        case .focus(let hasFocus):
            // A repeated report is no activity.
            let isNews = hasFocus != self.hasFocus
            (reportsFocus, self.hasFocus) = (true, hasFocus)
            if !hasFocus { sleep(.focus) } else if isNews || !isAwake { wake() }
        case .key(let key):
            // A key at a cover only removes the cover, so that the user never types blind. Without focus there are no
            // keys, but a mouse wheel over the window looks like some.
            guard isAwake else {
                if hasFocus || !Self.wheel.contains(key) { wake() }
                return
            }
            noteKey()
            if key == .control("z") { suspend() } else { events.append(.key(key)) }
        case .paste(let secret):
            guard isAwake else { return wake() }
            noteKey()
            events.append(.paste(secret))
        case .pasteRefused(let reason):
            guard isAwake else { return wake() }
            noteKey()
            events.append(.pasteRefused(reason))
        case .clipboard(let content): noteClipboard(content)
        case .cursor(let row, let column): noteCursor(row: row, column: column)
        }
    }
}

extension PrivateTerminal.Event {
    /// Whether the user typed or pasted it.
    var isInput: Bool {
        switch self {
        case .key, .paste, .lockedKey, .lockedPaste, .pasteRefused: true
        case .redraw, .timeout, .covered, .locked, .clipboard: false
        }
    }

    /// The event as a locked program gets it: no input arrives under the name that an unlocked one acts on.
    var whileLocked: Self {
        switch self {
        case .key(let key): .lockedKey(key)
        case .paste(let secret): .lockedPaste(secret)
        default: self
        }
    }
}
