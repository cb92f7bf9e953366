// SPDX-License-Identifier: Apache-2.0

/// The project's one lock: state that is reached only while the lock is held.
///
/// It is not re-entrant. What is called inside `withLock` must not call out to observers or take another lock that
/// may be held while this one is asked for.
///
/// Where Swift's Mutex comes with the program, it is that; on Apple's systems, where Mutex comes with the system and is newer than the
/// oldest one that is supported, it is the system's own lock.
#if canImport(Darwin)
package typealias Locked<State: ~Copyable> = AllocatedLocked<State>
#else
package typealias Locked<State: ~Copyable> = MutexLocked<State>
#endif
