// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int tools_open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

static void close_all_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
    for (int file = first; file < 1024; file++) close(file);
}

// Between fork and exec: only what may be called in the child of a process with threads.
static void become_shell(
    const char *line, const char *folder, const char *const environment[], const char *terminal, int output) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    if (setsid() < 0 || chdir(folder) < 0) _exit(125);
    int input = open(terminal ? terminal : "/dev/null", terminal ? O_RDWR : O_RDONLY);
    if (input < 0) _exit(125);
    if (terminal) output = input;
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(125);
    // With it whatever another test had open when this process was forked off: Foundation opens files without O_CLOEXEC.
    close_all_from(3);
    const char *words[] = {"sh", "-c", line, NULL};
    execve("/bin/sh", (char *const *)words, (char *const *)environment);
    _exit(125);
}

int tools_start_shell(
    const char *line, const char *folder, const char *const environment[], const char *terminal, int output) {
    pid_t child = fork();
    if (child == 0) become_shell(line, folder, environment, terminal, output);
    return child < 0 ? -errno : (int)child;
}

int tools_has_ended(int process) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == process;
}
