// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import CPlatform
public import Synchronization

/// `Locked` by Swift's Mutex.
///
/// Inlinable, since every keychain lookup takes ten: otherwise each one looks up the metadata of its generic type
/// (measured: 0.1 to 0.4 µs). `@usableFromInline` on the type is what makes it so: without it the attribute is accepted
/// inside a package's type, and means nothing to other modules.
@safe
@usableFromInline
package struct MutexLocked<State: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline
    package let mutex: Mutex<State>

    /// Looking at this saves two calls for each lock.
    @usableFromInline
    package let isWatched: Bool

    @inlinable
    package init(_ state: consuming sending State) {
        mutex = Mutex(state)
        isWatched = LockOrder.isWatched
    }

    /// Lends the state to `body`, alone.
    @inlinable
    package borrowing func withLock<R: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending R
    ) throws(Failure) -> sending R {
        try mutex.withLock { state throws(Failure) -> sending R in
            if isWatched { unsafe withUnsafePointer(to: mutex) { unsafe LockOrder.acquired($0) } }
            defer { if isWatched { unsafe withUnsafePointer(to: mutex) { unsafe LockOrder.releasing($0) } } }
            return try body(&state)
        }
    }
}

/// Swift's Mutex is not instrumented: ThreadSanitizer has to be told what it orders.
@usableFromInline
enum LockOrder {
    /// Whether this program runs under ThreadSanitizer.
    @usableFromInline
    static var isWatched: Bool { zamok_tsan_is_active() != 0 }
    @usableFromInline
    static func acquired(_ lock: UnsafeRawPointer) { unsafe zamok_tsan_acquire(lock) }
    @usableFromInline
    static func releasing(_ lock: UnsafeRawPointer) { unsafe zamok_tsan_release(lock) }
}
#endif
