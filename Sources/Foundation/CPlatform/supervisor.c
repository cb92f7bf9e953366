// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include "programs.h"
#include "terminal_state.h"
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

static const char variable[] = "ZAMOK_SUPERVISOR";

// What a program tells its supervisor, in a page that both map.
enum { COPY_LIMIT = 3072 };
struct told {
    volatile unsigned char is_entered, is_asking;
    // What gives the terminal back: the program's own sequence, since only it knows what it switched on.
    char leave[ZAMOK_SEQUENCE_LIMIT];
    // What the program put in the terminal's clipboard and has not cleared, in Base64; 0: nothing; beyond the limit: something that is not here.
    volatile uint32_t copy_count;
    char copy[COPY_LIMIT];
};
static struct told *shared;
static volatile sig_atomic_t program;

void zamok_terminal_tell_supervisor(int is_entered, const char *leave) {
    if (!shared) return;
    if (is_entered) memcpy(shared->leave, leave, strlen(leave) + 1);
    shared->is_entered = (unsigned char)is_entered;
}

void zamok_terminal_tell_asking(int is_asking) {
    if (shared) shared->is_asking = (unsigned char)is_asking;
}

int zamok_terminal_is_left_alone(void) { return shared != NULL && shared->is_entered; }

int zamok_is_supervised(void) { return shared != NULL; }

int zamok_terminal_entrust_copy(const void *text, size_t count) {
    if (!shared) return -ENOTSUP;
    shared->copy_count = 0;
    zamok_wipe(shared->copy, COPY_LIMIT);
    if (count > 0 && count <= COPY_LIMIT) memcpy(shared->copy, text, count);
    shared->copy_count = count <= COPY_LIMIT ? (uint32_t)count : COPY_LIMIT + 1;
    return count <= COPY_LIMIT ? 0 : -E2BIG;
}

static void give_back(int terminal, const struct termios *settings) {
    int was_entered = shared->is_entered;
    if (!was_entered && !shared->is_asking) return;
    shared->is_entered = shared->is_asking = 0;
    if (was_entered) zamok_terminal_write(terminal, shared->leave, strnlen(shared->leave, ZAMOK_SEQUENCE_LIMIT));
    // Not TCSAFLUSH, which waits for the output.
    tcsetattr(terminal, TCSANOW, settings);
    tcflush(terminal, TCIFLUSH);
}

// The clipboard of a program that is gone.

static const char question[] = "\033]52;c;?\007", emptying[] = "\033]52;c;\007", beginning[] = "\033]52;c;";
static const char kept[] = "The program ended before it could clear what it had copied: copy something else, so that it does not stay "
                           "in the clipboard.\r\n";

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// What the terminal says that its clipboard holds: how many bytes, from `start` on; -1 if it doesn't say so.
static int ask_for_clipboard(int terminal, char *bytes, size_t size, const char **start) {
    zamok_terminal_write(terminal, question, sizeof question - 1);
    size_t count = 0;
    for (int64_t end = milliseconds() + 500; count < size;) {
        int64_t left = end - milliseconds();
        struct pollfd source = {.fd = terminal, .events = POLLIN};
        if (left <= 0 || poll(&source, 1, (int)left) <= 0) return -1;
        ssize_t got = read(terminal, bytes + count, size - count);
        if (got <= 0) return -1;
        count += (size_t)got;
        const char *head = memmem(bytes, count, beginning, sizeof beginning - 1);
        if (!head) continue;
        *start = head + sizeof beginning - 1;
        for (const char *at = *start; at < bytes + count; at++)
            if (*at == '\007' || *at == '\033') return (int)(at - *start);
    }
    return -1;
}

// Cleared only if it is still what the program put there: it may be the user's own by now.
static void clear_copy(int terminal, const struct termios *settings) {
    uint32_t count = shared->copy_count;
    if (count == 0) return;
    // Nothing is echoed meanwhile.
    struct termios raw = *settings;
    cfmakeraw(&raw);
    zamok_terminal_take_as_typed(&raw);
    tcsetattr(terminal, TCSAFLUSH, &raw);
    static char bytes[COPY_LIMIT + 1024];
    const char *start = bytes;
    int length = count > COPY_LIMIT ? -1 : ask_for_clipboard(terminal, bytes, sizeof bytes, &start);
    if (length == (int)count && zamok_compare(start, shared->copy, count) == 0)
        zamok_terminal_write(terminal, emptying, sizeof emptying - 1);
    if (length < 0) zamok_terminal_write(terminal, kept, sizeof kept - 1);
    zamok_wipe(bytes, sizeof bytes);
    zamok_terminal_entrust_copy(NULL, 0);
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
        if (!WIFSTOPPED(status)) {
            clear_copy(terminal, settings);
            end_like(status);
        }
        // The shell waits for this process: it has to stop too. Both go on by the same signal to the group; one that only this
        // process got is handed on.
        raise(SIGSTOP);
        kill(program, SIGCONT);
    }
}

#if ZAMOK_STARTS_PROGRAMS
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
#else
static int start(char *const *arguments, int page) {
    (void)arguments, (void)page;
    return -ENOSYS;
}
#endif

// In no core file and, if the limit allows it, not in swap: the copy may be a password.
static int map(int page) {
    void *bytes = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    if (bytes == MAP_FAILED) return -errno;
#ifdef MADV_DONTDUMP
    madvise(bytes, sizeof *shared, MADV_DONTDUMP);
#endif
    mlock(bytes, sizeof *shared);
    shared = bytes;
    return 0;
}

// In the program: maps the page, and is ended (and so gives the terminal back) if the supervisor is.
static int join(void) {
    const char *value = getenv(variable);
    int parent, page;
    if (!value || sscanf(value, "%d %d", &parent, &page) != 2 || parent != (int)getppid()) return 0;
    unsetenv(variable);
    int result = map(page);
    close(page);
    if (result != 0) return 0;
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
    if (zamok_terminal_settings(terminal, &settings) != 0) { close(terminal); return 0; }
    int page = zamok_memory_file("terminal", 0);
    if (page < 0) return page;
    if (ftruncate(page, sizeof *shared) != 0) return -errno;
    int result = map(page);
    if (result != 0) return result;
    prepare_signals();
    result = start(arguments, page);
    if (result != 0) return result;
    watch(terminal, &settings);
}
