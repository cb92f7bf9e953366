// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_THREADS_H
#define ZAMOK_THREADS_H

#include <stdint.h>

/// Tell ThreadSanitizer that a lock at `address` was taken or is about to be given up; without it, nothing. Swift's
/// Mutex is not instrumented, so that it would report races that are none.
void zamok_tsan_acquire(const void *address);
void zamok_tsan_release(const void *address);
/// 1 when this program runs under ThreadSanitizer.
int zamok_tsan_is_active(void);

/// Counts what the calling thread has entered and not left; each answers the count before the call.
int zamok_enter(void);
int zamok_leave(void);

/// A lock of the system's that never moves: it is what `Locked` uses where Swift's own Mutex is newer than the oldest system that is
/// supported. Ends the process if there is no memory for it.
typedef struct zamok_lock zamok_lock;
zamok_lock *zamok_lock_make(void);
void zamok_lock_free(zamok_lock *lock);
void zamok_lock_take(zamok_lock *lock);
void zamok_lock_give(zamok_lock *lock);

/// A number that threads change without a lock. Taking is ordered before, giving after what stands between them.
int32_t zamok_number_load(const int32_t *number);
void zamok_number_store(int32_t *number, int32_t value);
int32_t zamok_number_exchange(int32_t *number, int32_t value);

#endif
