// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_OS_LOCK_H
#define STANDIN_OS_LOCK_H
#include <sys/types.h>
// OS_LOCK_API_AVAILABILITY: macOS 10.12, iOS 10, tvOS 10, watchOS 3.
typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t;
#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})
#define STANDIN_UNFAIR API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0))
void os_unfair_lock_lock(os_unfair_lock_t) STANDIN_UNFAIR;
_Bool os_unfair_lock_trylock(os_unfair_lock_t) STANDIN_UNFAIR;
void os_unfair_lock_unlock(os_unfair_lock_t) STANDIN_UNFAIR;
void os_unfair_lock_assert_owner(const os_unfair_lock *) STANDIN_UNFAIR;
#endif
