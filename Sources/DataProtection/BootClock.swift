// SPDX-License-Identifier: Apache-2.0

/// A moment on the clock that counts from the start of the machine, sleep included. Moments of different starts can't be compared.
struct BootInstant: Equatable, Sendable {
    /// Another one after each start.
    var start: UniqueIdentifier
    var nanoseconds: UInt64
}

/// Reads the boot clock; tests put another one in its place.
package struct BootClock: Sendable {
    let now: @Sendable () -> BootInstant

    init(now: @escaping @Sendable () -> BootInstant) { self.now = now }

    /// The machine's.
    static let system = BootClock { BootInstant(start: start, nanoseconds: elapsed()) }

    private static let start = identifier()
}
