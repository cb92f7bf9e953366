// SPDX-License-Identifier: Apache-2.0

/// A moment on the clock that counts from the start of the machine, sleep included. Moments of different starts can't be compared.
struct BootInstant: Equatable, Sendable {
    /// Another one after each start.
    var start: UniqueIdentifier
    var nanoseconds: UInt64

    /// Stands for a start of the machine that can't be found out: two such moments can't be compared.
    static let unknownStart = UniqueIdentifier(high: 0, low: 0)
    var isKnown: Bool { start != Self.unknownStart }
}

/// Reads the boot clock; tests put another one in its place.
package struct BootClock: Sendable {
    let now: @Sendable () -> BootInstant

    init(now: @escaping @Sendable () -> BootInstant) { self.now = now }

    /// The machine's clock, whatever time namespace the process is in. Where it can't be read, the start is unknown: nothing that was unlocked for a time is valid
    /// there, and no delay of the attempt limiter passes.
    static let system = BootClock {
        guard let elapsed = elapsed() else { return BootInstant(start: BootInstant.unknownStart, nanoseconds: 0) }
        return BootInstant(start: start, nanoseconds: elapsed)
    }

    private static let start = identifier()
}
