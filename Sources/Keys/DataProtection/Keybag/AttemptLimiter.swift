// SPDX-License-Identifier: Apache-2.0

/// When the next passcode may be tried. Pure: the clock is passed in, the counter is kept by `AttemptsFile`.
struct AttemptLimiter: Equatable, Sendable {
    /// Failed tries in a row.
    private(set) var failures: UInt32 = 0
    /// When the last one began; nil before the first.
    private(set) var last: BootInstant?

    init(failures: UInt32 = 0, last: BootInstant? = nil) {
        self.failures = failures
        self.last = failures == 0 ? nil : last
    }

    /// What holds where the counter is missing or invalid: the longest delay, from now on.
    static func unknown(_ now: BootInstant) -> AttemptLimiter { AttemptLimiter(failures: 9, last: now) }

    /// Seconds after the n-th failed try in a row.
    static func delay(after failures: UInt32) -> UInt64 {
        switch failures {
        case ..<5: 0
        case 5: 60
        case 6: 5 * 60
        case 7, 8: 15 * 60
        default: 60 * 60
        }
    }

    /// Nanoseconds to wait before the next try; 0: it may be made.
    func remaining(_ now: BootInstant) -> UInt64 {
        let delay = Self.delay(after: failures) * 1_000_000_000
        // After a start of the machine, if the clock went back, or where the time can't be told, the delay starts anew.
        guard let last, now.isKnown, last.start == now.start, last.nanoseconds <= now.nanoseconds else { return delay }
        let elapsed = now.nanoseconds - last.nanoseconds
        return elapsed >= delay ? 0 : delay - elapsed
    }

    /// To be kept, if it changes anything, before a try is refused or made: after a start of the machine the delay counts from now.
    mutating func noticeStart(_ now: BootInstant) {
        guard failures > 0, now.isKnown else { return }
        if let last, last.start == now.start, last.nanoseconds <= now.nanoseconds { return }
        last = now
    }

    /// A try begins, and counts as failed until it succeeded.
    mutating func begin(_ now: BootInstant) {
        failures = failures == .max ? .max : failures + 1
        last = now
    }

    /// The try succeeded.
    mutating func succeed() { self = AttemptLimiter() }
}
