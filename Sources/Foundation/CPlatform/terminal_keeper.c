// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include "terminal_state.h"

#if __linux__ || __APPLE__
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>

int zamok_terminal_is_set_so(int terminal, const struct termios *settings) {
    struct termios now;
    if (tcgetattr(terminal, &now) < 0) return 0;
    return now.c_iflag == settings->c_iflag && now.c_oflag == settings->c_oflag && now.c_lflag == settings->c_lflag &&
           memcmp(now.c_cc, settings->c_cc, sizeof now.c_cc) == 0;
}

void zamok_terminal_take_as_typed(struct termios *settings) {
    settings->c_iflag &= ~(tcflag_t)(PARMRK | ISTRIP | INLCR | IGNCR);
#ifdef IUCLC
    settings->c_iflag &= ~(tcflag_t)IUCLC;
#endif
#ifdef XCASE
    settings->c_lflag &= ~(tcflag_t)XCASE;
#endif
#ifdef EXTPROC
    // The lines are edited at the other end of the pseudo terminal (telnet's line mode, RFC 1184), which leaves Enter and
    // Control-C without effect here.
    settings->c_lflag &= ~(tcflag_t)EXTPROC;
#endif
}

void zamok_terminal_put_back(
    int terminal, pid_t group, const struct termios *visible, const struct termios *asking, int is_emptied) {
    if (tcgetpgrp(terminal) != group && !zamok_terminal_is_set_so(terminal, asking)) return;
    sigset_t background, mask;
    sigemptyset(&background);
    sigaddset(&background, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &background, &mask);
    // Not TCSAFLUSH, which waits for the output: a terminal may take none. What is typed once it is set is the shell's.
    if (is_emptied) tcflush(terminal, TCIFLUSH);
    while (tcsetattr(terminal, TCSANOW, visible) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

// How often it looks whether the asking process was stopped, and how often once the shell has the terminal.
enum { LOOK = 50, LOOK_WHILE_LOST = 500 };
// How long after its last look, in milliseconds, it still comes before the next reader of the terminal.
enum { EARLY = 4 * LOOK };
// The files that it has.
enum { TERMINAL, END, PROGRAM, SHELL, KEPT };

static void close_between(int first, int last) {
    if (first > last) return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0U) == 0) return;
#endif
    long limit = sysconf(_SC_OPEN_MAX);
    if (limit < 0 || limit > 65536) limit = 65536;
    for (int file = first; file <= last && file < limit; file++) close(file);
}

static void close_all_but(const int kept[KEPT]) {
    int low = -1;
    for (int left = 0; left < KEPT; left++) {
        int next = INT32_MAX;
        for (int i = 0; i < KEPT; i++)
            if (kept[i] > low && kept[i] < next) next = kept[i];
        close_between(low + 1, next - 1);
        low = next;
    }
    close_between(low + 1, INT32_MAX);
}

// The asking process: whether it is there, is stopped, and whether its group is the one in the foreground. proc(5),
// /proc/pid/stat; what begins behind the name: state, parent, group, session, terminal, the group in the terminal's
// foreground. A process or group outside this PID namespace is 0 there (pid_namespaces(7)): the parent of a container's
// first process, and of one that was started into it, so a parent of 0 says nothing. A group of 0 is not known.
struct asker {
    int is_there, is_stopped, is_in_front, is_known;
    long parent, group, front;
};

static struct asker look(int status) {
    struct asker asker = {0};
    char text[512];
    ssize_t count = pread(status, text, sizeof text - 1, 0);
    if (count <= 0) return asker;
    text[count] = 0;
    char *at = strrchr(text, ')');
    if (!at || at[1] != ' ') return asker;
    long fields[5] = {0};
    asker.is_there = at[2] != 'Z' && at[2] != 'X';
    asker.is_stopped = at[2] == 'T';
    at += 3;
    for (int i = 0; i < 5; i++) fields[i] = strtol(at, &at, 10);
    asker.is_known = fields[1] > 0 && fields[4] > 0;
    asker.is_in_front = asker.is_known && fields[1] == fields[4];
    asker.parent = fields[0];
    asker.group = fields[1];
    asker.front = fields[4];
    return asker;
}

// Short turns are soon given (Linux 6.12): the keeper has to be before the shell, and needs microseconds. Elsewhere it
// has no effect.
static void ask_for_short_turns(void) {
#ifdef SYS_sched_setattr
    // sched_setattr(2): struct sched_attr, whose first form has 48 bytes; the turn is in nanoseconds.
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = 48, .nice = getpriority(PRIO_PROCESS, 0), .runtime = 100000};
    syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

// Whether another program has set the terminal so that it edits a line itself: what is typed is for that.
static int is_edited(int terminal, const struct termios *asking) {
    struct termios now;
    return tcgetattr(terminal, &now) == 0 && !(now.c_lflag & ICANON) && !zamok_terminal_is_set_so(terminal, asking);
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Whether another job has the terminal by now, neither the program's nor the shell. The program is gone, so its shell
// is asked; one that can't be seen says nothing.
static int is_taken_over(int status, long group) {
    struct asker shell = status < 0 ? (struct asker){0} : look(status);
    return shell.is_known && shell.front != group && shell.front != shell.group;
}

// The program has ended. A keeper that was stopped may be late: what waits in the terminal is dropped only if no other
// program can have it yet. The settings are put back for whatever has it, if they are still this prompt's.
static void give_back(
    const int files[KEPT], long group, int is_lost, int64_t looked, const struct termios *visible,
    const struct termios *asking) {
    int terminal = files[TERMINAL], is_emptied = !is_lost && !is_taken_over(files[SHELL], group);
    int is_early = milliseconds() - looked <= EARLY;
    if (is_emptied && is_early && !is_edited(terminal, asking)) tcflush(terminal, TCIFLUSH);
    zamok_terminal_put_back(terminal, 0, visible, asking, is_emptied);
}

// In the keeper, which is in a session of its own: it may read the terminal and set it whatever group has it. So it
// looks first.
static _Noreturn void keep(
    const int files[KEPT], pid_t parent, const struct termios *visible, const struct termios *asking, char *buffer) {
    int terminal = files[TERMINAL], end = files[END], is_reading = 0, lost = 0, is_late = 0;
    int64_t looked = milliseconds();
    long group = look(files[PROGRAM]).group;
    mlock(buffer, ZAMOK_KEEPER_BUFFER);
    for (;;) {
        // A hang-up is reported whatever is asked for.
        struct pollfd sources[2] = {
            {.fd = terminal, .events = is_reading && !lost ? POLLIN : 0}, {.fd = end, .events = POLLIN}};
        int ready = poll(sources, 2, lost > 2 ? LOOK_WHILE_LOST : LOOK);
        // The terminal is gone. Where the program is in the background, nothing else would ever end the two.
        if (ready > 0 && sources[0].revents & (POLLHUP | POLLERR | POLLNVAL)) _exit(0);
        char word;
        // A child of the asking process may have its end too, and then it isn't closed at that process's end.
        if (ready > 0 && sources[1].revents && read(end, &word, 1) != 1) break;
        if (ready > 0 && sources[1].revents) {
            is_reading = 1;
            if (send(end, "", 1, MSG_NOSIGNAL) < 0) break;
        }
        struct asker asker = look(files[PROGRAM]);
        if (!asker.is_there || getppid() != parent) break;
        int64_t before = looked;
        looked = milliseconds();
        group = asker.group;
        if (!asker.is_in_front) {
            lost++;
            if (lost == 1) is_late = looked - before > EARLY;
            // Stopped by a signal that nothing can catch, and the shell has the terminal. Until that has set it, what
            // arrived was typed for the prompt.
            if (lost == 1 && !is_late && zamok_terminal_is_set_so(terminal, asking)) tcflush(terminal, TCIFLUSH);
            // A shell that edits lines has set the terminal by now; others take it as it is.
            if (lost == 2) zamok_terminal_put_back(terminal, 0, visible, asking, !is_late);
            continue;
        }
        lost = 0;
        if (ready <= 0 || !sources[0].revents) continue;
        ssize_t count = read(terminal, buffer, ZAMOK_KEEPER_BUFFER);
        if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) _exit(0);
        // What doesn't fit is beyond every line that can be answered with.
        if (count > 0 && !asker.is_stopped && send(end, buffer, (size_t)count, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {}
        zamok_wipe(buffer, ZAMOK_KEEPER_BUFFER);
    }
    if (lost < 2) give_back(files, group, lost, looked, visible, asking);
    _exit(0);
}

// The shell that started the job: the nearest process above it of another group. While it is there it knows which group
// has the terminal. -1: it can't be seen.
static int open_shell(void) {
    char path[40];
    for (long process = getppid(); process > 0;) {
        snprintf(path, sizeof path, "/proc/%ld/stat", process);
        int status = open(path, O_RDONLY | O_CLOEXEC);
        if (status < 0) return -1;
        struct asker found = look(status);
        if (found.is_known && found.group != getpgrp()) return status;
        close(status);
        process = found.is_known ? found.parent : 0;
    }
    return -1;
}

// The first steps of the keeper. Its file 0 to 3 are of its parent until the others are closed.
static _Noreturn void begin_to_keep(
    int end, int status, int shell, pid_t parent, const struct termios *visible, const struct termios *asking,
    char *buffer) {
    // Opened anew: a read must not wait for what the shell has read meanwhile, and that is a mark of the open file,
    // not of the descriptor.
    int own = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (own < 0) _exit(1);
    // What is sent to the job, to the session or to processes of the program's name doesn't reach it.
    setsid();
    prctl(PR_SET_NAME, "terminal-keeper", 0, 0, 0);
    // Stopped itself, it goes on at the program's end: later the terminal would be another's.
    prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
    ask_for_short_turns();
    const int files[KEPT] = {own, end, status, shell};
    close_all_but(files);
    keep(files, parent, visible, asking, buffer);
}

int zamok_keeper_start(struct zamok_keeper *keeper, const struct termios *visible, const struct termios *asking) {
    static char *buffer;
    int32_t promises;
    int failure = 0, ends[2];
    if (!buffer) buffer = zamok_reserve(ZAMOK_KEEPER_BUFFER, &promises, &failure);
    if (!buffer) return failure;
    failure = zamok_commit(buffer, ZAMOK_KEEPER_BUFFER);
    if (failure < 0) return failure;
    // Opened here, where the system shows a process to itself.
    int status = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (status < 0) return -errno;
    // The keeper could not tell whether the shell has the terminal.
    if (!look(status).is_known) {
        close(status);
        return -ENOTSUP;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
        failure = -errno;
        close(status);
        return failure;
    }
    int shell = open_shell();
    // Signals stay blocked in the keeper: nothing but SIGKILL ends it early.
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &mask);
    pid_t parent = getpid();
    // A child that no wait for children finds unless it asks for this one, and whose end sends no SIGCHLD: the program
    // may count its own.
    pid_t process = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (process == 0) begin_to_keep(ends[0], status, shell, parent, visible, asking, buffer);
    failure = process < 0 ? -errno : 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    close(ends[0]);
    close(status);
    if (shell >= 0) close(shell);
    if (failure < 0) {
        close(ends[1]);
        return failure;
    }
    keeper->process = process;
    keeper->end = ends[1];
    return 0;
}

int zamok_keeper_begin(const struct zamok_keeper *keeper) {
    if (send(keeper->end, "", 1, MSG_NOSIGNAL) < 0) return -errno;
    char word;
    struct pollfd answer = {.fd = keeper->end, .events = POLLIN};
    for (;;) {
        // It answers in a millisecond; a second is for a machine that is out of breath.
        int ready = poll(&answer, 1, 1000);
        if (ready < 0 && errno == EINTR) continue;
        return ready > 0 && read(keeper->end, &word, 1) == 1 ? 0 : -ETIMEDOUT;
    }
}

int zamok_keeper_is_stopped(const struct zamok_keeper *keeper) {
    int status;
    return waitpid(keeper->process, &status, __WALL | WUNTRACED | WNOHANG) == keeper->process && WIFSTOPPED(status);
}

void zamok_keeper_dismiss(const struct zamok_keeper *keeper) {
    if (keeper->process > 0) kill(keeper->process, SIGKILL);
}

void zamok_keeper_end(struct zamok_keeper *keeper) {
    if (keeper->process <= 0) return;
    zamok_keeper_dismiss(keeper);
    close(keeper->end);
    while (waitpid(keeper->process, NULL, __WALL) < 0 && errno == EINTR) {}
    keeper->process = 0;
    keeper->end = -1;
}
#else
int zamok_keeper_start(struct zamok_keeper *keeper, const struct termios *visible, const struct termios *asking) {
    (void)keeper, (void)visible, (void)asking;
    return -ENOSYS;
}
int zamok_keeper_begin(const struct zamok_keeper *keeper) {
    (void)keeper;
    return -ENOSYS;
}
int zamok_keeper_is_stopped(const struct zamok_keeper *keeper) {
    (void)keeper;
    return 0;
}
void zamok_keeper_dismiss(const struct zamok_keeper *keeper) { (void)keeper; }
void zamok_keeper_end(struct zamok_keeper *keeper) { (void)keeper; }
#endif
#endif
