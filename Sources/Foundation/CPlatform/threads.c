// SPDX-License-Identifier: Apache-2.0

#include "CPlatform.h"

#include <pthread.h>
#include <stdlib.h>
#if __APPLE__
#include <os/lock.h>
#endif

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

#if __APPLE__
struct zamok_lock {
    os_unfair_lock lock;
};
static void zamok_lock_init(zamok_lock *lock) { lock->lock = OS_UNFAIR_LOCK_INIT; }
static void zamok_lock_destroy(zamok_lock *lock) { (void)lock; }
void zamok_lock_take(zamok_lock *lock) { os_unfair_lock_lock(&lock->lock); }
void zamok_lock_give(zamok_lock *lock) { os_unfair_lock_unlock(&lock->lock); }
#else
struct zamok_lock {
    pthread_mutex_t lock;
};
static void zamok_lock_init(zamok_lock *lock) { pthread_mutex_init(&lock->lock, NULL); }
static void zamok_lock_destroy(zamok_lock *lock) { pthread_mutex_destroy(&lock->lock); }
void zamok_lock_take(zamok_lock *lock) { pthread_mutex_lock(&lock->lock); }
void zamok_lock_give(zamok_lock *lock) { pthread_mutex_unlock(&lock->lock); }
#endif

zamok_lock *zamok_lock_make(void) {
    zamok_lock *lock = malloc(sizeof *lock);
    if (lock == NULL) abort();
    zamok_lock_init(lock);
    return lock;
}

void zamok_lock_free(zamok_lock *lock) {
    zamok_lock_destroy(lock);
    free(lock);
}

int32_t zamok_number_load(const int32_t *number) { return __atomic_load_n(number, __ATOMIC_ACQUIRE); }
void zamok_number_store(int32_t *number, int32_t value) { __atomic_store_n(number, value, __ATOMIC_RELEASE); }
int32_t zamok_number_exchange(int32_t *number, int32_t value) {
    return __atomic_exchange_n(number, value, __ATOMIC_ACQ_REL);
}
