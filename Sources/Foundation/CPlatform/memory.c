// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <sys/mman.h>
#include <sys/resource.h>
#if __linux__
#include <sys/prctl.h>
#include <sys/random.h>
#endif

void zamok_wipe(void *bytes, size_t count) {
    if (count == 0) return;
    memset(bytes, 0, count);
    // The compiler has to believe that this reads the zeros, so it can't leave them out.
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

int zamok_compare(const void *left, const void *right, size_t count) {
    const volatile unsigned char *l = left, *r = right;
    unsigned char difference = 0;
    for (size_t i = 0; i < count; i++) difference |= l[i] ^ r[i];
    return difference;
}

int zamok_random(void *bytes, size_t count) {
#if __linux__
    size_t done = 0;
    while (done < count) {
        ssize_t part = getrandom((char *)bytes + done, count - done, 0);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return -errno;
        done += (size_t)part;
    }
#else
    arc4random_buf(bytes, count);
#endif
    return 0;
}

size_t zamok_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void *zamok_reserve(size_t count, int32_t *promises, int *failure) {
    *promises = 0;
    *failure = 0;
    void *bytes = mmap(NULL, count, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (bytes == MAP_FAILED) {
        *failure = -errno;
        return NULL;
    }
#if defined(MADV_DONTDUMP)
    if (madvise(bytes, count, MADV_DONTDUMP) == 0) *promises |= ZAMOK_NOT_DUMPED;
#endif
#if defined(MADV_WIPEONFORK)
    if (madvise(bytes, count, MADV_WIPEONFORK) == 0) *promises |= ZAMOK_WIPED_ON_FORK;
#endif
#if defined(PR_SET_VMA) && defined(PR_SET_VMA_ANON_NAME)
    // For whoever reads /proc/PID/maps; most kernels can, none has to.
    prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, bytes, count, "zamok secrets");
#endif
    return bytes;
}

static int answer(int result) { return result < 0 ? -errno : 0; }

int zamok_commit(void *bytes, size_t count) { return answer(mprotect(bytes, count, PROT_READ | PROT_WRITE)); }
int zamok_lock_memory(void *bytes, size_t count) { return answer(mlock(bytes, count)); }
int zamok_release(void *bytes, size_t count) { return answer(munmap(bytes, count)); }

uint64_t zamok_lock_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0) return 0;
    return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)limit.rlim_cur;
}
