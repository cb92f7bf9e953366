// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#if __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

void zamok_store64(void *at, uint64_t value) { __atomic_store_n((uint64_t *)at, value, __ATOMIC_SEQ_CST); }
uint64_t zamok_add64(void *at, uint64_t more) { return __atomic_add_fetch((uint64_t *)at, more, __ATOMIC_SEQ_CST); }
uint32_t zamok_load32(const void *at) { return __atomic_load_n((const uint32_t *)at, __ATOMIC_SEQ_CST); }
uint32_t zamok_add32(void *at, uint32_t more) { return __atomic_add_fetch((uint32_t *)at, more, __ATOMIC_SEQ_CST); }

// Not FUTEX_PRIVATE: the word is shared between processes, the kernel finds it by inode and offset.
int zamok_wait_word(const void *word, uint32_t expected, int64_t nanoseconds) {
#if __linux__
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    long result = syscall(SYS_futex, word, FUTEX_WAIT, expected, nanoseconds < 0 ? NULL : &limit, NULL, 0);
    return result < 0 ? -errno : 0;
#else
    return -ENOSYS;
#endif
}

int zamok_wake_word(void *word) {
#if __linux__
    long result = syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    return result < 0 ? -errno : 0;
#else
    return -ENOSYS;
#endif
}

// A page that the kernel zeroes in a child after fork: holding the id there is as safe as asking, and 100 ns cheaper.
#if __linux__
static int32_t *page;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_page(void) {
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    if (madvise(memory, 4096, MADV_WIPEONFORK) == 0) page = memory;
    else munmap(memory, 4096);
}

int32_t zamok_process_quick(void) {
    pthread_once(&once, make_page);
    if (!page) return (int32_t)getpid();
    int32_t known = __atomic_load_n(page, __ATOMIC_RELAXED);
    if (known) return known;
    known = (int32_t)getpid();
    __atomic_store_n(page, known, __ATOMIC_RELAXED);
    return known;
}
#else
int32_t zamok_process_quick(void) { return (int32_t)getpid(); }
#endif

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int zamok_start_thread(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return -ENOMEM;
    *start = (struct start){body, context};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    sigset_t all, before;
    sigfillset(&all);
    // A page of a file may be cut under the thread (guarded.c), and a signal of that kind ends the process where it is blocked.
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int result = pthread_create(&thread, &attributes, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (result != 0) free(start);
    return -result;
}
