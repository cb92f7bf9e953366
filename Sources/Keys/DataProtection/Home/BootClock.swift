// SPDX-License-Identifier: Apache-2.0

/// A moment on the clock that counts from the boot of the machine, including sleep. Moments of different boots can't
/// be compared.
struct BootInstant: Equatable, Sendable {
    /// The identifier of the boot. It differs after each boot.
    var start: UniqueIdentifier
    var nanoseconds: UInt64

    /// Represents a boot whose identifier is unknown. Two such moments can't be compared.
    static let unknownStart = UniqueIdentifier(high: 0, low: 0)
    var isKnown: Bool { start != Self.unknownStart }
}

/// Reads the boot clock. Tests replace it.
package struct BootClock: Sendable {
    let now: @Sendable () -> BootInstant

    init(now: @escaping @Sendable () -> BootInstant) { self.now = now }

    /// The machine's clock, regardless of the process's time namespace. If it can't be read, the boot is unknown: no
    /// timed unlock is valid, and no delay of the attempt limiter elapses.
    static let system = BootClock {
        guard let elapsed = elapsed() else { return BootInstant(start: BootInstant.unknownStart, nanoseconds: 0) }
        return BootInstant(start: start, nanoseconds: elapsed)
    }

    private static let start = identifier()
}
