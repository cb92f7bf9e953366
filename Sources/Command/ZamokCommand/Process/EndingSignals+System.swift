// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Handles the termination signals of a server on a separate thread.
enum EndingSignals {
    private static var set: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
        return signals
    }

    /// Blocks the signals. Must be called before any other thread is created.
    static func hold() {
        var signals = set
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Runs `body` on this thread with the signals unblocked. A program that it starts inherits the mask, and can be
    /// terminated. A signal during `body` ends the process as it would without a server.
    static func letThrough<R>(_ body: () throws -> R) rethrows -> R {
        var (signals, before) = (set, sigset_t())
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }

    /// Calls `body` on that thread when a signal arrives.
    static func watch(_ body: @escaping @Sendable () -> Void) {
        Thread.start(stack: 64 << 10) {
            var (signals, number) = (set, Int32(0))
            while unsafe sigwait(&signals, &number) != 0 {}
            body()
        }
    }
}
