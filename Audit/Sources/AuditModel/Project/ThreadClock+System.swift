// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if canImport(Darwin)
private let ownClock: @Sendable () -> clockid_t = { CLOCK_MONOTONIC }
#else
private let ownClock: @Sendable () -> clockid_t = {
    var own = clockid_t()
    return unsafe pthread_getcpuclockid(pthread_self(), &own) == 0 ? own : CLOCK_MONOTONIC
}
#endif

/// The processor time of the thread that makes it, for other threads to read; where the system has none, the time of its
/// monotonic clock.
struct ThreadClock: Sendable {
    private let clock: clockid_t

    init() { clock = ownClock() }

    /// While the thread runs.
    var seconds: Double {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
