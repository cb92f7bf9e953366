// SPDX-License-Identifier: Apache-2.0

#include "CPlatform.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#endif
#endif

#if UNDER_THREAD_SANITIZER
extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

void zamok_tsan_acquire(const void *address) { __tsan_acquire((void *)address); }
void zamok_tsan_release(const void *address) { __tsan_release((void *)address); }
int zamok_tsan_is_active(void) { return 1; }
#else
void zamok_tsan_acquire(const void *address) { (void)address; }
void zamok_tsan_release(const void *address) { (void)address; }
int zamok_tsan_is_active(void) { return 0; }
#endif

static _Thread_local int entered;

int zamok_enter(void) { return entered++; }
int zamok_leave(void) { return entered--; }
