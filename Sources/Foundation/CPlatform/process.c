// SPDX-License-Identifier: Apache-2.0

#include "CPlatform.h"
#include <sys/resource.h>
#if __linux__
#include <sys/prctl.h>
#endif

int zamok_refuse_dumps(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) < 0) return -errno;
#if __linux__
    // A core limit of 0 alone doesn't hold where cores go to a pipe; the mark does, and keeps ptrace of the same user out.
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ? -errno : 0;
#else
    return -ENOSYS;
#endif
}

int zamok_is_dumpable(void) {
#if __linux__
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
#else
    return -ENOSYS;
#endif
}

#if defined(__GLIBC__) || defined(__BIONIC__) || defined(__APPLE__)
static int argument_count;
static char **argument_words;

// These pass to constructors what they pass to `main`.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    argument_count = count;
    argument_words = words;
}

char **zamok_arguments(int *count) {
    *count = argument_count;
    return argument_words;
}
#else
char **zamok_arguments(int *count) {
    *count = 0;
    return NULL;
}
#endif

int32_t zamok_process(void) { return (int32_t)getpid(); }
uint32_t zamok_user(void) { return (uint32_t)geteuid(); }
