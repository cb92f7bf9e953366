// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// `Locked` with a system lock. The lock and the state are allocated separately, since neither may move. Compiled and
/// tested everywhere, used where Swift's Mutex is too new.
@safe
package struct AllocatedLocked<State: ~Copyable>: ~Copyable, Sendable {
    // Accessed only under the lock, and by `deinit`, when there is no other reference.
    private nonisolated(unsafe) let state: UnsafeMutablePointer<State>
    private nonisolated(unsafe) let lock: OpaquePointer

    package init(_ state: consuming sending State) {
        unsafe self.state = .allocate(capacity: 1)
        unsafe self.state.initialize(to: state)
        unsafe lock = zamok_lock_make()
    }

    deinit {
        unsafe zamok_lock_free(lock)
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Lends the state to `body`, with exclusive access.
    package borrowing func withLock<R: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending R
    ) throws(Failure) -> sending R {
        unsafe zamok_lock_take(lock)
        defer { unsafe zamok_lock_give(lock) }
        return try unsafe body(&state.pointee)
    }
}
