// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include "programs.h"
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, SIGWINCH};
enum { COUNT = sizeof passed_on / sizeof *passed_on };

// Written before the first signal can be for it, read by the handler.
static volatile sig_atomic_t program;
static volatile sig_atomic_t early;

static void pass_on(int number, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    // What the terminal sends reaches the whole foreground group: the program has it already.
    if (info->si_code > 0) return;
    if (program > 0) kill((pid_t)program, number);
    else early = number;
    errno = saved;
}

int zamok_pipe(int ends[2]) {
    int low[2];
    if (pipe(low) < 0) return -errno;
    ends[0] = fcntl(low[0], F_DUPFD_CLOEXEC, 64);
    ends[1] = ends[0] < 0 ? -1 : fcntl(low[1], F_DUPFD_CLOEXEC, 64);
    int failure = ends[1] < 0 ? -errno : 0;
    if (failure != 0 && ends[0] >= 0) close(ends[0]);
    close(low[0]);
    close(low[1]);
    return failure;
}

ssize_t zamok_take(int source, int *over, void *bytes, size_t count) {
    for (;;) {
        struct pollfd watched[2] = {{.fd = source, .events = POLLIN}, {.fd = *over, .events = POLLIN}};
        int ready = poll(watched, 2, *over < 0 ? 500 : -1);
        if (ready == 0) return -ETIMEDOUT;
        if (ready < 0 && errno != EINTR) return -errno;
        if (ready < 0) continue;
        if (watched[1].revents != 0) *over = -1;
        if (watched[0].revents == 0) continue;
        ssize_t taken = read(source, bytes, count);
        if (taken >= 0) return taken;
        if (errno != EINTR) return -errno;
    }
}

int zamok_put(int target, const void *bytes, size_t count) {
    for (const char *next = bytes, *end = next + count; next < end;) {
        ssize_t taken = write(target, next, (size_t)(end - next));
        if (taken >= 0) {
            next += taken;
        } else if (errno == EAGAIN) {
            struct pollfd room = {.fd = target, .events = POLLOUT};
            if (poll(&room, 1, -1) < 0 && errno != EINTR) return -errno;
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

// 0, or an errno.
static int start(pid_t *child, const char *const words[], const int from[], const int to[], int count) {
#if ZAMOK_STARTS_PROGRAMS
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < count && failure == 0; i++)
        failure = posix_spawn_file_actions_adddup2(&actions, from[i], to[i]);
    if (failure == 0) failure = posix_spawnp(child, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
#else
    (void)child, (void)words, (void)from, (void)to, (void)count;
    return ENOSYS;
#endif
}

int zamok_run(const char *const words[], const int from[], const int to[], int count) {
    struct sigaction before[COUNT], action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    program = 0;
    early = 0;
    for (int i = 0; i < COUNT; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        // What is ignored from the start (nohup) stays so, for the program too.
        if (before[i].sa_handler != SIG_IGN) sigaction(passed_on[i], &action, NULL);
    }
    pid_t child = 0;
    int status = 0, failure = start(&child, words, from, to, count);
    for (int i = 0; i < count; i++) close(from[i]);
    if (failure == 0) {
        program = child;
        if (early) kill(child, early);
        // The first process of a container is the parent of all that lost theirs.
        pid_t whose = getpid() == 1 ? -1 : child, ended;
        do ended = waitpid(whose, &status, 0);
        while ((ended < 0 && errno == EINTR) || (ended > 0 && ended != child));
        program = 0;
    }
    for (int i = 0; i < COUNT; i++) sigaction(passed_on[i], &before[i], NULL);
    if (failure != 0) return -failure;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int zamok_start(const char *path, char *const words[], char *const environment[], int input, int output, int error) {
#if ZAMOK_STARTS_PROGRAMS
    // Above the three, so that none is overwritten before it is used.
    int from[] = {input, output, error};
    int failure = 0;
    for (int i = 0; i < 3; i++) {
        int given = from[i];
        from[i] = failure == 0 ? fcntl(given, F_DUPFD_CLOEXEC, 3) : -1;
        if (failure == 0 && from[i] < 0 && errno == EBADF && given >= 0) {
            // This process was started without it.
            int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
            from[i] = nothing < 0 ? -1 : fcntl(nothing, F_DUPFD_CLOEXEC, 3);
            if (nothing >= 0) close(nothing);
        }
        if (failure == 0 && from[i] < 0) failure = errno;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (failure == 0 && (failure = posix_spawn_file_actions_init(&actions)) == 0) {
        if ((failure = posix_spawnattr_init(&attributes)) == 0) {
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
            for (int i = 0; i < 3 && failure == 0; i++) failure = posix_spawn_file_actions_adddup2(&actions, from[i], i);
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 34)
            if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
#endif
            pid_t child = 0;
            if (failure == 0) failure = posix_spawn(&child, path, &actions, &attributes, words, environment);
            posix_spawnattr_destroy(&attributes);
            if (failure == 0) failure = -child;
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    for (int i = 0; i < 3; i++)
        if (from[i] >= 0) close(from[i]);
    return -failure;
#else
    (void)path, (void)words, (void)environment, (void)input, (void)output, (void)error;
    return -ENOTSUP;
#endif
}

void zamok_await(int process) {
#if __linux__
    siginfo_t ended;
    while (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
#else
    (void)process;
#endif
}

int zamok_end(int process, int *signal) {
    int status;
    *signal = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) return -errno;
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    *signal = WTERMSIG(status);
    return 128 + *signal;
}
