// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include "terminal_state.h"
#include <poll.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <termios.h>

// One terminal for each process: what handlers of signals need. Written before the handlers are there.
static struct {
    int terminal;
    struct termios settings;
    char enter[ZAMOK_SEQUENCE_LIMIT], leave[ZAMOK_SEQUENCE_LIMIT];
    int pipe[2];
} taken = {.terminal = -1, .pipe = {-1, -1}};
static volatile sig_atomic_t is_entered, was_resized, was_continued;

static const int ending[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
// Faults: a handler that is there already (a printer of backtraces) still has its turn, after the terminal is given back.
static const int faults[] = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
static struct sigaction before_fault[NSIG];

int zamok_terminal_open(void) {
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    return terminal < 0 ? -errno : terminal;
}

int zamok_terminal_size(int terminal, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(terminal, TIOCGWINSZ, &size) != 0) return -errno;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

static int write_within(int terminal, const void *bytes, size_t count, int milliseconds) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(terminal, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            struct pollfd room = {.fd = terminal, .events = POLLOUT};
            if (poll(&room, 1, milliseconds) == 1) continue;
            return -EAGAIN;
        }
        if (written <= 0) return -(written < 0 ? errno : EIO);
        next += written;
        count -= (size_t)written;
    }
    return 0;
}

int zamok_terminal_write(int terminal, const void *bytes, size_t count) { return write_within(terminal, bytes, count, 1000); }

int zamok_terminal_draw(int terminal, const void *bytes, size_t count) { return write_within(terminal, bytes, count, 100); }

int zamok_terminal_takes_output(int terminal) {
    struct pollfd room = {.fd = terminal, .events = POLLOUT};
    return poll(&room, 1, 0) == 1;
}

int64_t zamok_terminal_read(int terminal, void *bytes, size_t count) {
    ssize_t got = read(terminal, bytes, count);
    return got < 0 ? -errno : got;
}

int zamok_terminal_settings(int terminal, struct termios *settings) {
    if (tcgetattr(terminal, settings) != 0) return -errno;
    if ((settings->c_lflag & (ICANON | ECHO | ISIG | IEXTEN)) || (settings->c_oflag & OPOST)) return 0;
    settings->c_iflag |= BRKINT | ICRNL | IXON;
    settings->c_oflag |= OPOST | ONLCR;
    settings->c_lflag |= ICANON | ECHO | ECHOE | ECHOK | ISIG | IEXTEN;
    return 0;
}

// From here to `give_back`: only what a handler of a signal may call.

static void raise_default(int signal) {
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours;
    sigset_t only, before;
    sigemptyset(&usual.sa_mask);
    sigemptyset(&only);
    sigaddset(&only, signal);
    sigaction(signal, &usual, &ours);
    raise(signal);
    // An ending signal does not come back from here; a stopping one does, when the process goes on.
    sigprocmask(SIG_UNBLOCK, &only, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(signal, &ours, NULL);
}

// In the background the terminal is the shell's: stop, as a program does that writes there, until it is ours. Handlers block the
// signal that would see to it. The bound is for a process that nobody can stop.
static int wait_for_foreground(void) {
    for (int attempt = 0; attempt < 100; attempt++) {
        pid_t group = tcgetpgrp(taken.terminal);
        if (group < 0 || group == getpgrp()) return 0;
        raise_default(SIGTTOU);
    }
    return -EIO;
}

static int take_over(void) {
    int result = wait_for_foreground();
    if (result != 0) return result;
    struct termios raw = taken.settings;
    cfmakeraw(&raw);
    zamok_terminal_take_as_typed(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(taken.terminal, TCSAFLUSH, &raw) != 0) return -errno;
    result = zamok_terminal_write(taken.terminal, taken.enter, strlen(taken.enter));
    is_entered = 1;
    zamok_terminal_tell_supervisor(1, taken.leave);
    return result;
}

static int give_back(void) {
    if (!is_entered) return 0;
    is_entered = 0;
    int result = zamok_terminal_write(taken.terminal, taken.leave, strlen(taken.leave));
    int is_left = result == 0;
    // What was typed for the program must not reach the shell. Not TCSAFLUSH, which waits for the output.
    if (tcsetattr(taken.terminal, TCSANOW, &taken.settings) != 0) result = -errno;
    tcflush(taken.terminal, TCIFLUSH);
    // What the terminal doesn't take is the supervisor's, which may wait.
    if (is_left) zamok_terminal_tell_supervisor(0, "");
    return result;
}

static void wake(void) {
    int before = errno;
    if (write(taken.pipe[1], "", 1) < 0) errno = before;
    errno = before;
}

// Where the terminal takes no output, the end waits a second and not for ever.
static void give_back_soon(void) {
    if (is_entered) fcntl(taken.terminal, F_SETFL, fcntl(taken.terminal, F_GETFL) | O_NONBLOCK);
    give_back();
}

static void on_end(int signal) {
    give_back_soon();
    raise_default(signal);
}

static void on_fault(int signal) {
    give_back_soon();
    sigaction(signal, &before_fault[signal], NULL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
}

static void on_stop(int signal) {
    int before = errno;
    int was_entered = is_entered;
    give_back();
    raise_default(signal);
    if (was_entered && take_over() == 0) was_continued = 1;
    wake();
    errno = before;
}

static void on_continue(int signal) {
    (void)signal;
    int before = errno;
    // After SIGSTOP, which nobody sees coming: the supervisor has given the terminal back meanwhile. If it has not, this is the
    // supervisor's own signal after the shell's: to cover a second time would swallow the next key.
    if (is_entered && !zamok_terminal_is_left_alone() && take_over() == 0) was_continued = 1;
    wake();
    errno = before;
}

static void on_resize(int signal) {
    (void)signal;
    was_resized = 1;
    wake();
}

// Back on solid ground.

static void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction before, ours = {.sa_handler = handler, .sa_flags = flags};
    sigfillset(&ours.sa_mask);
    if (sigaction(signal, NULL, &before) != 0) return;
    // What the program handles or ignores itself stays so, except what stops it.
    if (before.sa_handler != SIG_DFL && signal != SIGTSTP) return;
    sigaction(signal, &ours, NULL);
}

static void give_back_at_exit(void) { give_back(); }

static int prepare(void) {
    if (taken.pipe[0] >= 0) return 0;
    if (pipe(taken.pipe) != 0) return -errno;
    for (int end = 0; end < 2; end++) {
        fcntl(taken.pipe[end], F_SETFD, FD_CLOEXEC);
        fcntl(taken.pipe[end], F_SETFL, O_NONBLOCK);
    }
    atexit(give_back_at_exit);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) handle(ending[i], on_end, 0);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct sigaction ours = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
        sigfillset(&ours.sa_mask);
        sigaction(faults[i], &ours, &before_fault[faults[i]]);
    }
    handle(SIGTSTP, on_stop, SA_RESTART);
    handle(SIGCONT, on_continue, SA_RESTART);
    handle(SIGWINCH, on_resize, SA_RESTART);
    return 0;
}

int zamok_terminal_is_own_handler(void (*handler)(int)) { return handler == on_end; }

int zamok_terminal_is_entered(void) { return is_entered; }

int zamok_terminal_enter(int terminal, const char *enter, const char *leave) {
    if (is_entered) return -EBUSY;
    if (strlen(enter) >= ZAMOK_SEQUENCE_LIMIT || strlen(leave) >= ZAMOK_SEQUENCE_LIMIT) return -E2BIG;
    int result = zamok_terminal_settings(terminal, &taken.settings);
    if (result != 0) return result;
    taken.terminal = terminal;
    strcpy(taken.enter, enter);
    strcpy(taken.leave, leave);
    result = prepare();
    if (result == 0) result = take_over();
    // A terminal that takes no output holds up no lock. The open file is this process's alone.
    if (result == 0) fcntl(terminal, F_SETFL, fcntl(terminal, F_GETFL) | O_NONBLOCK);
    return result;
}

int zamok_terminal_leave(void) {
    if (is_entered) fcntl(taken.terminal, F_SETFL, fcntl(taken.terminal, F_GETFL) & ~O_NONBLOCK);
    return give_back();
}

int zamok_terminal_suspend(void) {
    // Threads of a pool have their signals blocked: one that is meant for this thread would wait for ever.
    sigset_t only, before;
    sigemptyset(&only);
    sigaddset(&only, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &only, &before);
    int result = raise(SIGTSTP) == 0 ? 0 : -errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return result;
}

int zamok_terminal_wait(int terminal, int milliseconds) {
    struct pollfd sources[] = {{.fd = terminal, .events = POLLIN}, {.fd = taken.pipe[0], .events = POLLIN}};
    int ready = poll(sources, taken.pipe[0] < 0 ? 1 : 2, milliseconds);
    if (ready < 0 && errno != EINTR) return -errno;
    int seen = 0;
    char rest[64];
    while (taken.pipe[0] >= 0 && read(taken.pipe[0], rest, sizeof rest) > 0) {}
    if (was_resized) { was_resized = 0; seen |= ZAMOK_TERMINAL_RESIZED; }
    if (was_continued) { was_continued = 0; seen |= ZAMOK_TERMINAL_CONTINUED; }
    if (ready > 0 && sources[0].revents != 0) seen |= ZAMOK_TERMINAL_INPUT;
    return seen;
}
