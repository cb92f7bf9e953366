// SPDX-License-Identifier: Apache-2.0

import CPlatform
package import Synchronization

/// The project's one lock: state that is reached only while the lock is held.
///
/// It is not re-entrant. What is called inside `withLock` must not call out to observers or take another lock that
/// may be held while this one is asked for.
///
/// Inlinable, since every keychain lookup takes several: without it each one looks up the metadata of its generic type
/// (measured: 0.1 µs).
@safe
package struct Locked<State: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline
    package let mutex: Mutex<State>

    @inlinable
    package init(_ state: consuming sending State) { mutex = Mutex(state) }

    /// Lends the state to `body`, alone.
    @inlinable
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
    @inlinable
    package borrowing func acquired() { unsafe withUnsafePointer(to: mutex) { unsafe zamok_tsan_acquire($0) } }
    @inlinable
    package borrowing func releasing() { unsafe withUnsafePointer(to: mutex) { unsafe zamok_tsan_release($0) } }
}
