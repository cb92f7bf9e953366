// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include "terminal_state.h"

#if __linux__ || __APPLE__
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <termios.h>

// Signals that the prompt itself answers: it restores the terminal, then lets them have the effect they would have had.
static const int answered[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT};
// Signals that end the process, or show that it is broken: the handler restores the terminal and passes them on at once.
static const int deadly[] = {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL,    SIGPIPE, SIGPROF, SIGSEGV,
                             SIGSYS,  SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ};
enum { ANSWERED = sizeof answered / sizeof answered[0], DEADLY = sizeof deadly / sizeof deadly[0] };

// One prompt at a time has the terminal, and with it everything below.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before[NSIG];
static char is_taken[NSIG];
static volatile sig_atomic_t caught[NSIG];
static int wake[2] = {-1, -1};
static struct termios visible;
static int is_shown;
static pid_t owner;
// Read by a signal's handler, and by the thread that ends the process while another one is asked. What stands above is written before
// the mark is set.
static atomic_int terminal = -1, is_changed;

// Async-signal-safe. In the background the terminal is another's, who has set it as they need it; should we get there in
// between, the change must not stop this process.
static void restore(int how) {
    if (!is_changed || owner != getpid()) return;
    if (tcgetpgrp(terminal) != getpgrp()) {
        is_changed = 0;
        return;
    }
    sigset_t background, mask;
    sigemptyset(&background);
    sigaddset(&background, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &background, &mask);
    while (tcsetattr(terminal, how, &visible) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    is_changed = 0;
}

static void restore_at_exit(void) { restore(TCSANOW); }

static void answer_later(int number) {
    int saved = errno;
    caught[number] = 1;
    // May fail when the pipe is full: then the prompt wakes up anyway.
    ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
    errno = saved;
}

static void pass_on(int number, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    restore(TCSANOW);
    sigaction(number, &before[number], NULL);
    errno = saved;
    // A fault happens again on return, in its own place; what was sent has to be sent again.
    int is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
    if (!is_fault || info->si_code <= 0) raise(number);
}

static void take(int number, struct sigaction action, int only_default) {
    sigaction(number, NULL, &before[number]);
    int is_special = !(before[number].sa_flags & SA_SIGINFO);
    int is_ignored = is_special && before[number].sa_handler == SIG_IGN;
    int is_default = is_special && before[number].sa_handler == SIG_DFL;
    is_taken[number] = !is_ignored && (is_default || !only_default);
    if (is_taken[number]) sigaction(number, &action, NULL);
}

static int is_fault_signal(int number) {
    return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGTRAP ||
           number == SIGABRT;
}

static void take_signals(void) {
    struct sigaction later = {.sa_handler = answer_later};
    struct sigaction now = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&later.sa_mask);
    sigemptyset(&now.sa_mask);
    for (int i = 0; i < ANSWERED; i++) {
        caught[answered[i]] = 0;
        take(answered[i], later, 0);
    }
    // Those that a program handles don't end it; a crash does, even where something reports it first.
    for (int i = 0; i < DEADLY; i++) take(deadly[i], now, !is_fault_signal(deadly[i]));
}

static void give_back(int number) {
    if (is_taken[number]) sigaction(number, &before[number], NULL);
    is_taken[number] = 0;
}

static void give_signals_back(void) {
    for (int i = 0; i < ANSWERED; i++) give_back(answered[i]);
    for (int i = 0; i < DEADLY; i++) give_back(deadly[i]);
}

static int is_any_caught(void) {
    for (int i = 0; i < ANSWERED; i++)
        if (caught[answered[i]]) return 1;
    return 0;
}

static int change(void) {
    struct termios asking = visible;
    // The terminal edits the line itself: backspace, Ctrl-U, Ctrl-D.
    asking.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    asking.c_lflag |= ICANON | ISIG | (is_shown ? ECHO | ECHOE | ECHOK : 0);
    asking.c_iflag |= ICRNL;
    asking.c_iflag &= ~(tcflag_t)(INLCR | IGNCR);
    // Set first: a signal between the call and the mark would leave the terminal so.
    is_changed = 1;
    int result = 0;
    while (result == 0 && tcsetattr(terminal, TCSAFLUSH, &asking) < 0) {
        if (errno != EINTR) result = -errno;
        if (is_any_caught()) result = -EINTR;
    }
    if (result < 0) is_changed = 0;
    return result;
}

static int say(const char *text, size_t count) {
    while (count > 0) {
        ssize_t part = write(terminal, text, count);
        if (part < 0 && errno != EINTR) return -errno;
        if (part < 0 && is_any_caught()) return -EINTR;
        if (part > 0) text += part, count -= (size_t)part;
    }
    return 0;
}

// -EINTR: a signal waits for its answer.
static int64_t read_line(char *bytes, size_t capacity) {
    size_t count = 0;
    for (;;) {
        struct pollfd sources[2] = {{.fd = terminal, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}};
        int ready = poll(sources, 2, -1);
        if (is_any_caught()) return -EINTR;
        if (ready < 0 && errno != EINTR) return -errno;
        if (ready <= 0 || !sources[0].revents) continue;
        ssize_t part = read(terminal, bytes + count, capacity - count);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return -errno;
        // Ctrl-D: on an empty line the end of input, elsewhere the end of the line.
        if (part == 0) return count ? (int64_t)count : -ECANCELED;
        count += (size_t)part;
        int is_ended = bytes[count - 1] == '\n';
        // The terminal drops what is beyond its own room without a word, so a full line may be a cut one.
        if (count >= capacity) return -EMSGSIZE;
        if (is_ended) return (int64_t)count - 1;
    }
}

static int64_t prompt_once(const char *prompt, size_t prompt_count, void *bytes, size_t capacity) {
    int64_t result = change();
    if (result == 0) result = say(prompt, prompt_count);
    if (result == 0) result = read_line(bytes, capacity);
    // The end of the line was typed, but not shown.
    if (is_changed && result != -EIO && (!is_shown || result < 0)) {
        ssize_t ignored = write(terminal, "\n", 1);
        (void)ignored;
    }
    restore(result < 0 ? TCSAFLUSH : TCSADRAIN);
    return result;
}

// Sent to this thread, so that a stop has happened when the call returns.
static void send_again(int number) {
    sigset_t one, mask;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, &mask);
    raise(number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static int is_stop(int number) { return number == SIGTSTP || number == SIGTTIN || number == SIGTTOU; }

// Gives the caught signals their effect; 1: the prompt goes on.
static int answer_signals(void) {
    int goes_on = 1;
    for (int i = 0; i < ANSWERED; i++) {
        int number = answered[i];
        if (!caught[number]) continue;
        int is_simple = !(before[number].sa_flags & SA_SIGINFO);
        int is_default = is_simple && (before[number].sa_handler == SIG_DFL || zamok_terminal_is_own_handler(before[number].sa_handler));
        if (!is_stop(number) && number != SIGCONT) goes_on = 0;
        // Ctrl-C at a prompt cancels the prompt, unless the program has its own idea of it.
        if (is_default && (number == SIGINT || number == SIGCONT)) continue;
        send_again(number);
    }
    return goes_on;
}

static int open_all(void) {
    terminal = zamok_open(AT_FDCWD, "/dev/tty", O_RDWR | O_NOCTTY, 0);
    if (terminal < 0) return -ENXIO;
    if (pipe(wake) < 0) return -errno;
    for (int end = 0; end < 2; end++) {
        fcntl(wake[end], F_SETFD, FD_CLOEXEC);
        fcntl(wake[end], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

static void close_all(void) {
    int files[] = {atomic_exchange(&terminal, -1), wake[0], wake[1]};
    wake[0] = wake[1] = -1;
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0) zamok_close(files[i]);
}

// The terminal may have been set anew while this process was stopped, and old wake-up calls may be waiting.
static int look_anew(void) {
    char ignored[64];
    while (read(wake[0], ignored, sizeof ignored) > 0) {}
    if (tcgetattr(terminal, &visible) < 0) return errno == EIO ? -ENXIO : -errno;
    owner = getpid();
    return 0;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void prepare(void) { atexit(restore_at_exit); }

int64_t zamok_read_line(const char *prompt, size_t prompt_count, int shown, void *bytes, size_t capacity) {
    pthread_once(&once, prepare);
    pthread_mutex_lock(&turn);
    is_shown = shown;
    int64_t result = open_all();
    for (int goes_on = result == 0; goes_on;) {
        result = look_anew();
        if (result < 0) break;
        take_signals();
        result = prompt_once(prompt, prompt_count, bytes, capacity);
        give_signals_back();
        int is_survived = is_any_caught() && !answer_signals();
        if (is_survived) result = -ECANCELED;
        goes_on = result == -EINTR;
    }
    if (result < 0) zamok_wipe(bytes, capacity);
    close_all();
    pthread_mutex_unlock(&turn);
    return result;
}
#else
int64_t zamok_read_line(const char *prompt, size_t prompt_count, int shown, void *bytes, size_t capacity) {
    return -ENOSYS;
}
#endif
