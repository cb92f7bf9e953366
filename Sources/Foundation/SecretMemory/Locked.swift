// SPDX-License-Identifier: Apache-2.0

/// The project's only lock: state that is accessible only while the lock is held.
///
/// It is not re-entrant. Code inside `withLock` must not call observers. It must not take another lock that may be held
/// while this one is requested.
///
/// It is Swift's Mutex where that ships with the program. On Apple's systems Mutex ships with the system, and is newer
/// than the oldest supported version. There it is the system's lock.
#if canImport(Darwin)
package typealias Locked<State: ~Copyable> = AllocatedLocked<State>
#else
package typealias Locked<State: ~Copyable> = MutexLocked<State>
#endif
