// SPDX-License-Identifier: Apache-2.0

#include "CPlatform.h"
#include <sys/resource.h>
#include <sys/wait.h>
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

int32_t zamok_process(void) { return (int32_t)getpid(); }
uint32_t zamok_user(void) { return (uint32_t)geteuid(); }

int32_t zamok_fork(void) {
    pid_t process = fork();
    return process < 0 ? -errno : (int32_t)process;
}

int zamok_wait(int32_t process) {
    int status;
    pid_t found;
    do found = waitpid(process, &status, 0);
    while (found < 0 && errno == EINTR);
    if (found < 0) return -errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void zamok_exit_now(int status) { _exit(status); }
