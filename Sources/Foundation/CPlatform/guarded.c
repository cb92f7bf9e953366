// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <pthread.h>
#include <sys/mman.h>

// All guarded mappings lie in one region, each in a step of its own, so that the handler finds by arithmetic what was hit.
enum { STEPS = 1024 };
static unsigned char *region;
static size_t step;
static unsigned char taken[STEPS];
static int refusal;
static struct sigaction before;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// A page of a file that was cut: zeros take its place, and the instruction is done again.
static void hit(int number, siginfo_t *info, void *context) {
    uintptr_t at = (uintptr_t)info->si_addr, start = (uintptr_t)region;
    if (info->si_code > 0 && at >= start && at - start < STEPS * step) {
        int saved = errno;
        void *page = region + (at - start) / step * step;
        void *zeros = mmap(page, step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0);
        errno = saved;
        if (zeros != MAP_FAILED) return;
    }
    // Not ours: what would happen without us.
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(number, info, context);
    } else if (before.sa_handler == SIG_IGN && info->si_code <= 0) {
        return;
    } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
        struct sigaction ending;
        memset(&ending, 0, sizeof ending);
        ending.sa_handler = SIG_DFL;
        sigaction(number, &ending, NULL);
        if (info->si_code <= 0) raise(number);
    } else {
        before.sa_handler(number);
    }
}

static void prepare(void) {
    step = (size_t)sysconf(_SC_PAGESIZE);
    void *bytes = mmap(NULL, STEPS * step, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = hit;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (bytes != MAP_FAILED) region = bytes;
    if (!region || sigaction(SIGBUS, &action, &before) < 0) refusal = -errno;
}

// What was opened for reading is mapped for reading.
int zamok_remap_guarded(void *at, int file) {
    int may_write = file < 0 || (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY;
    int protection = may_write ? PROT_READ | PROT_WRITE : PROT_READ;
    void *bytes = file < 0 ? mmap(at, step, protection, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0)
                           : mmap(at, step, protection, MAP_SHARED | MAP_FIXED, file, 0);
    return bytes == MAP_FAILED ? -errno : 0;
}

void *zamok_map_guarded(int file, int *failure) {
    pthread_once(&once, prepare);
    *failure = refusal;
    if (refusal) return NULL;
    size_t place = 0;
    pthread_mutex_lock(&mutex);
    while (place < STEPS && taken[place]) place++;
    if (place < STEPS) taken[place] = 1;
    pthread_mutex_unlock(&mutex);
    if (place == STEPS) {
        *failure = -ENOMEM;
        return NULL;
    }
    void *at = region + place * step;
    *failure = zamok_remap_guarded(at, file);
    if (*failure == 0) return at;
    zamok_unmap_guarded(at);
    return NULL;
}

void zamok_unmap_guarded(void *at) {
    mmap(at, step, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0);
    pthread_mutex_lock(&mutex);
    taken[(size_t)((unsigned char *)at - region) / step] = 0;
    pthread_mutex_unlock(&mutex);
}
