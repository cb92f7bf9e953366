// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_THREADS_H
#define ZAMOK_THREADS_H

/// Tell ThreadSanitizer that a lock at `address` was taken or is about to be given up; without it, nothing. Swift's
/// Mutex is not instrumented, so that it would report races that are none.
void zamok_tsan_acquire(const void *address);
void zamok_tsan_release(const void *address);
/// 1 when this program runs under ThreadSanitizer.
int zamok_tsan_is_active(void);

/// Counts what the calling thread has entered and not left; each answers the count before the call.
int zamok_enter(void);
int zamok_leave(void);

#endif
