// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include "terminal_state.h"
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

static const char variable[] = "ZAMOK_SUPERVISOR";

// One byte that program and supervisor share: whether the terminal is taken over.
static volatile unsigned char *shared;
static volatile sig_atomic_t program;

void zamok_terminal_tell_supervisor(int is_entered) {
    if (shared) *shared = (unsigned char)is_entered;
}

int zamok_terminal_is_left_alone(void) { return shared != NULL && *shared; }

int zamok_is_supervised(void) { return shared != NULL; }

// Everything that a program may have switched on, and the alternate screen emptied before it is left: what is on it when a
// program is killed would stay in the memory of the terminal otherwise.
static const char clear_and_leave[] = "\033[?2026l\033[0m\033[2J\033[H\033[?1004l\033[?2004l\033[?1049l\033[?25h";

static void give_back(int terminal, const struct termios *settings) {
    if (!*shared) return;
    *shared = 0;
    zamok_terminal_write(terminal, clear_and_leave, sizeof clear_and_leave - 1);
    tcsetattr(terminal, TCSAFLUSH, settings);
}

static void forward(int signal) { if (program > 0) kill(program, signal); }

static void prepare_signals(void) {
    // Keys that stop or interrupt reach the whole group; the program answers them, and this process follows it.
    static const int ignored[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    static const int forwarded[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
        struct sigaction action = {.sa_handler = forward, .sa_flags = SA_RESTART};
        sigaction(forwarded[i], &action, NULL);
    }
}

static _Noreturn void end_like(int status) {
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    _exit(128 + WTERMSIG(status));
}

static _Noreturn void watch(int terminal, const struct termios *settings) {
    for (;;) {
        int status;
        if (waitpid(program, &status, WUNTRACED) < 0) {
            if (errno == EINTR) continue;
            _exit(71);
        }
        give_back(terminal, settings);
        if (!WIFSTOPPED(status)) end_like(status);
        // The shell waits for this process: it has to stop too. Both go on by the same signal to the group; one that only this
        // process got is handed on.
        raise(SIGSTOP);
        kill(program, SIGCONT);
    }
}

static int start(char *const *arguments, int page) {
    char value[64];
    snprintf(value, sizeof value, "%d %d", (int)getpid(), page);
    if (setenv(variable, value, 1) != 0) return -errno;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    static const int changed[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) sigaddset(&defaults, changed[i]);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child;
    int failure = posix_spawn(&child, "/proc/self/exe", NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    program = failure ? 0 : child;
    return -failure;
}

// In the program: maps the page, and is ended (and so gives the terminal back) if the supervisor is.
static int join(void) {
    const char *value = getenv(variable);
    int parent, page;
    if (!value || sscanf(value, "%d %d", &parent, &page) != 2 || parent != (int)getppid()) return 0;
    unsetenv(variable);
    void *bytes = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    close(page);
    if (bytes == MAP_FAILED) return 0;
    shared = bytes;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGHUP);
    if (parent != (int)getppid()) raise(SIGHUP);
#endif
    return 1;
}

int zamok_supervise(char *const *arguments) {
    if (join()) return 0;
    int terminal = zamok_terminal_open();
    if (terminal < 0) return 0;
    struct termios settings;
    if (tcgetattr(terminal, &settings) != 0) { close(terminal); return 0; }
    int page = zamok_memory_file("terminal", 0);
    if (page < 0) return page;
    if (ftruncate(page, 1) != 0) return -errno;
    shared = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    if (shared == MAP_FAILED) { shared = NULL; return -errno; }
    prepare_signals();
    int result = start(arguments, page);
    if (result != 0) return result;
    watch(terminal, &settings);
}
