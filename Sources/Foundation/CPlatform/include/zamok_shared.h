// SPDX-License-Identifier: Apache-2.0
//
// Counters in a page that several processes map, and the thread that waits for them.

#ifndef ZAMOK_SHARED_H
#define ZAMOK_SHARED_H

#include <stdint.h>

/// Atomic, sequentially consistent; `at` is aligned to its size.
// In the header, since every warm read of a preference takes three.
static inline uint64_t zamok_load64(const void *at) { return __atomic_load_n((const uint64_t *)at, __ATOMIC_SEQ_CST); }
void zamok_store64(void *at, uint64_t value);
/// Answers the new value.
uint64_t zamok_add64(void *at, uint64_t more);
uint32_t zamok_load32(const void *at);
uint32_t zamok_add32(void *at, uint32_t more);

/// The first page of `file`, shared with every process that maps it, at an address that stays readable whatever becomes of the file: where it is
/// cut, the caller reads zeros from then on and doesn't end by SIGBUS. NULL and the negated errno in `failure` if refused; -ENOMEM: 1024 are mapped.
///
/// The first call sets a handler for SIGBUS, which passes on to the one before it whatever doesn't concern these pages. A thread that blocks that
/// signal is not helped.
void *zamok_map_guarded(int file, int *failure);
/// Puts the first page of another file in that place, in one step for all threads; zeros of this process's own if `file` is negative.
int zamok_remap_guarded(void *at, int file);
void zamok_unmap_guarded(void *at);

/// Sleeps until somebody wakes `word`, unless it holds another value than `expected` already; at most `nanoseconds`,
/// without end if that is negative. 0, -EAGAIN (another value), -ETIMEDOUT, -EINTR, -ENOSYS.
int zamok_wait_word(const void *word, uint32_t expected, int64_t nanoseconds);
/// Wakes every process and thread that waits for `word`.
int zamok_wake_word(void *word);

/// The id of this process without a system call, and right after fork too.
int32_t zamok_process_quick(void);

/// Runs `body(context)` on a detached thread with a small stack and all signals blocked but SIGBUS.
int zamok_start_thread(void (*body)(void *), void *context);

#endif
