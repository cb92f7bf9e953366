// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_MEMORY_H
#define ZAMOK_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// Overwrites `count` bytes with zeros; never optimised away.
void zamok_wipe(void *bytes, size_t count);

/// 0 when equal; the time depends on `count` only.
int zamok_compare(const void *left, const void *right, size_t count);

/// Fills `bytes` from the system's random generator.
int zamok_random(void *bytes, size_t count);

/// Bytes of a page.
size_t zamok_page_size(void);

/// What the kernel promised for reserved memory.
static const int32_t ZAMOK_NOT_DUMPED = 1;
static const int32_t ZAMOK_WIPED_ON_FORK = 2;

/// Address space that nobody can touch yet; `count` is a multiple of the page size. Asked to be left out of core files and
/// to read as zeros in a child process; `promises` tells which of it the kernel granted. NULL and a negated errno in
/// `failure` if refused.
void *zamok_reserve(size_t count, int32_t *promises, int *failure);
/// Makes reserved pages usable.
int zamok_commit(void *bytes, size_t count);
/// Keeps pages out of swap. -ENOMEM: the limit for locked memory is used up. -EPERM: the limit is 0.
int zamok_lock_memory(void *bytes, size_t count);
/// Gives reserved memory back, whatever state it is in.
int zamok_release(void *bytes, size_t count);
/// Bytes that this process may lock; UINT64_MAX: no limit.
uint64_t zamok_lock_limit(void);

/// Overwrites `depth` bytes below the caller's frame, and the vector registers, where code that has returned left what it
/// worked with.
void zamok_clear_stack(size_t depth);

/// Overwrites the blocks that the calling thread freed last, for each of `count` block sizes: what a block of that kind has room for.
void zamok_clear_freed(const size_t *sizes, size_t count);

/// Overwrites most of what the calling thread freed, whatever its size, some MiB of it; takes some milliseconds.
void zamok_clear_all_freed(void);

/// From now on blocks are overwritten when they are freed, whoever frees them, in the whole process; but those that a thread keeps apart for itself, up to 1,032 bytes each, which the functions above reach. 0, or -1 where the allocator can't: glibc's can.
int zamok_overwrite_freed(void);

#endif
