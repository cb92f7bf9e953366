// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Synchronization

/// The project's one lock: state that is reached only while the lock is held.
///
/// It is not re-entrant. What is called inside `withLock` must not call out to observers or take another lock that
/// may be held while this one is asked for.
@safe
package struct Locked<State: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<State>

    package init(_ state: consuming sending State) { mutex = Mutex(state) }

    /// Lends the state to `body`, alone.
    package borrowing func withLock<R: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending R
    ) throws(Failure) -> sending R {
        try mutex.withLock { state throws(Failure) -> sending R in
            acquired()
            defer { releasing() }
            return try body(&state)
        }
    }

    // Swift's Mutex is not instrumented: ThreadSanitizer has to be told what it orders.
    private borrowing func acquired() { unsafe withUnsafePointer(to: mutex) { unsafe zamok_tsan_acquire($0) } }
    private borrowing func releasing() { unsafe withUnsafePointer(to: mutex) { unsafe zamok_tsan_release($0) } }
}
