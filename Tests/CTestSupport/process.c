// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"
#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int32_t tools_fork(void) {
    pid_t process = fork();
    return process < 0 ? -errno : (int32_t)process;
}

int tools_wait(int32_t process, int also_stopped) {
    int status;
    pid_t found;
    do found = waitpid(process, &status, also_stopped ? WUNTRACED : 0);
    while (found < 0 && errno == EINTR);
    if (found < 0) return -errno;
    if (WIFSTOPPED(status)) return 256 + WSTOPSIG(status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void tools_exit(int status) { _exit(status); }

int tools_limit_locked_memory(uint64_t bytes) {
    struct rlimit limit = {bytes, bytes};
    if (setrlimit(RLIMIT_MEMLOCK, &limit) < 0) return -errno;
    if (geteuid() != 0) return 0;
    if (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0) return -errno;
    // Changing the user made it non-dumpable; other tests look into it.
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ? -errno : 0;
}

int tools_execute(const char *path, const char *first, const char *second) {
    char *const arguments[] = {(char *)path, (char *)first, (char *)second, NULL};
    signal(SIGTTOU, SIG_DFL);
    signal(SIGTTIN, SIG_DFL);
    execv(path, arguments);
    return -errno;
}

__attribute__((noinline)) void tools_leave_on_stack(const void *bytes, size_t count, size_t depth) {
    volatile unsigned char below[depth + count];
    for (size_t i = 0; i < count; i++) below[i] = ((const unsigned char *)bytes)[i];
}

__attribute__((noinline)) void tools_leave_in_freed_block(const void *bytes, size_t count, size_t size) {
    unsigned char *block = malloc(size);
    // The allocator writes its own links over the first 16 bytes.
    if (block && size >= count + 16) memcpy(block + 16, bytes, count);
    __asm__ __volatile__("" : : "r"(block) : "memory");
    free(block);
}

ptrdiff_t tools_find(const void *bytes, size_t count, ptrdiff_t from, const void *needle, size_t needle_count) {
    if (from < 0 || (size_t)from >= count) return -1;
    const char *found = memmem((const char *)bytes + from, count - (size_t)from, needle, needle_count);
    return found ? found - (const char *)bytes : -1;
}

void tools_return_freed(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
