// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The signals that end a server are taken by a thread of their own.
enum EndingSignals {
    private static var set: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
        return signals
    }

    /// Call it before any other thread is made.
    static func hold() {
        var signals = set
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Runs `body` on this thread with them let through: a program that it starts inherits that, and can be ended. One that comes meanwhile ends the process as it would without a server.
    static func letThrough<R>(_ body: () throws -> R) rethrows -> R {
        var (signals, before) = (set, sigset_t())
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }

    /// `body` is called on that thread when one comes.
    static func watch(_ body: @escaping @Sendable () -> Void) {
        let watcher = Thread {
            var (signals, number) = (set, Int32(0))
            while unsafe sigwait(&signals, &number) != 0 {}
            body()
        }
        watcher.stackSize = 64 << 10
        watcher.start()
    }
}
