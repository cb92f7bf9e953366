// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include "terminal_state.h"

#if __linux__ || __APPLE__
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

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
// For `wake` beyond the prompt's own thread and the handlers of signals, which the prompt takes.
static pthread_mutex_t waking = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_cancelled;
static struct termios visible, asking;
static int is_shown;
static pid_t owner;
static struct zamok_keeper keeper = {.end = -1};
// Read by a signal's handler, and by the thread that ends the process while another one is asked. What stands above is written before
// the mark is set.
static atomic_int terminal = -1, is_changed;

// Async-signal-safe.
static void restore(int is_emptied) {
    if (!is_changed || owner != getpid()) return;
    zamok_terminal_put_back(terminal, getpgrp(), &visible, &asking, is_emptied);
    is_changed = 0;
    zamok_terminal_tell_asking(0);
    // What is typed from here on is not for this process, and nothing of it may be dropped.
    zamok_keeper_dismiss(&keeper);
}

static void restore_at_exit(void) { restore(1); }

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
    restore(1);
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

// A mark of this prompt, in characters that mean nothing without ICANON. A keeper that is late doesn't take the next
// prompt for its own.
static void mark(cc_t *characters) {
#ifdef __linux__
    static unsigned count;
    unsigned number = (unsigned)getpid() * 31 + ++count;
    characters[VREPRINT] = (cc_t)number;
    characters[VEOL2] = (cc_t)(number >> 8);
    characters[VEOL] = (cc_t)(number >> 16);
#else
    (void)characters;
#endif
}

static int is_control(cc_t key) { return key < ' ' || key == 0x7F; }

static int is_enter(cc_t key) { return key == '\r' || key == '\n'; }

// The keys with an effect at a prompt, and the usual ones. A key that types a character has the usual one instead: the
// character would be missing in the secret. So has one that is Enter, which would end no line. A key that was switched
// off stays so, except Ctrl-C.
static void choose_keys(cc_t *keys) {
    static const struct {
        int key;
        cc_t usual;
    } table[] = {
        {VINTR, 3},  {VQUIT, 28}, {VSUSP, 26},   {VSTART, 17}, {VSTOP, 19},     {VERASE, 0x7F},
        {VKILL, 21}, {VEOF, 4},   {VWERASE, 23}, {VLNEXT, 22}, {VREPRINT, 18}, {VDISCARD, 15},
#ifdef VDSUSP
        {VDSUSP, 25},
#endif
#ifdef VSTATUS
        {VSTATUS, 20},
#endif
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cc_t *key = &keys[table[i].key];
        if (*key != _POSIX_VDISABLE && (!is_control(*key) || is_enter(*key))) *key = table[i].usual;
    }
    if (keys[VINTR] == _POSIX_VDISABLE) keys[VINTR] = 3;
    // Two keys with one character: only the interrupt has an effect, which ends the prompt.
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].key != VINTR && keys[table[i].key] == keys[VINTR]) keys[table[i].key] = _POSIX_VDISABLE;
    // Each ends a line, as Enter does.
    keys[VEOL] = _POSIX_VDISABLE;
#ifdef VEOL2
    keys[VEOL2] = _POSIX_VDISABLE;
#endif
}

// Everything that a prompt relies on: the terminal may have been left in any state, and a flag that changes what is
// typed would change the secret.
// Without ICANON each character is read when it is typed: the terminal has no half-typed secret that the next reader,
// the shell, would get. What may be seen is edited by the terminal.
static void choose_settings(void) {
    asking = visible;
    zamok_terminal_take_as_typed(&asking);
    asking.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL | ICANON | NOFLSH);
    asking.c_lflag |= ISIG | (is_shown ? ICANON | ECHO | ECHOE | ECHOK : 0);
    asking.c_iflag |= ICRNL;
    choose_keys(asking.c_cc);
    if (is_shown) return;
    asking.c_cc[VMIN] = 1;
    asking.c_cc[VTIME] = 0;
    mark(asking.c_cc);
}

static int change(void) {
    // Set first: a signal between the call and the mark would leave the terminal so.
    is_changed = 1;
    zamok_terminal_tell_asking(1);
    int result = 0;
    // Not TCSAFLUSH, which waits for the output.
    while (result == 0 && (tcsetattr(terminal, TCSANOW, &asking) < 0 || tcflush(terminal, TCIFLUSH) < 0)) {
        if (errno != EINTR) result = -errno;
        if (is_any_caught()) result = -EINTR;
    }
    if (result < 0) {
        is_changed = 0;
        zamok_terminal_tell_asking(0);
    }
    return result;
}

// What ends a wait. -EINTR: a signal waits for its answer.
static int interruption(void) { return is_any_caught() ? -EINTR : is_cancelled ? -ECANCELED : 0; }

// The output may be stopped (Ctrl-S) or its reader slow: a wait for it is one that a signal and a cancel end.
static int say(const char *text, size_t count) {
    while (count > 0) {
        if (interruption()) return interruption();
        ssize_t part = write(terminal, text, count);
        if (part < 0 && errno != EINTR && errno != EAGAIN) return -errno;
        struct pollfd sources[2] = {{.fd = terminal, .events = POLLOUT}, {.fd = wake[0], .events = POLLIN}};
        if (part < 0 && errno == EAGAIN) poll(sources, 2, -1);
        if (part > 0) text += part, count -= (size_t)part;
    }
    return 0;
}

// The line as far as it was typed, edited as the terminal would.
struct line {
    char *bytes;
    size_t count, capacity;
    // More was typed than there is room for: the end is missing, however much is erased.
    int is_cut, is_quoted, was_end;
};
enum { GOES_ON, IS_WHOLE, IS_GIVEN_UP };

static int is_key(int key, unsigned char byte) {
    return byte != (unsigned char)_POSIX_VDISABLE && byte == asking.c_cc[key];
}

static void erase(struct line *line) {
#ifdef IUTF8
    if (visible.c_iflag & IUTF8)
        while (line->count > 1 && (line->bytes[line->count - 1] & 0xC0) == 0x80) line->count--;
#endif
    if (line->count > 0) line->count--;
}

static void erase_word(struct line *line) {
    while (line->count > 0 && line->bytes[line->count - 1] == ' ') line->count--;
    while (line->count > 0 && line->bytes[line->count - 1] != ' ') line->count--;
}

static int edit(struct line *line, unsigned char byte) {
    int is_extended = (visible.c_lflag & IEXTEN) != 0, was_end = line->was_end;
    line->was_end = 0;
    if (line->is_quoted) {
        line->is_quoted = 0;
    } else if (byte == '\n') {
        return IS_WHOLE;
    } else if (is_key(VEOF, byte)) {
        // On an empty line the end of input; elsewhere, the second time, the end of the line.
        line->was_end = 1;
        return line->count == 0 ? IS_GIVEN_UP : was_end ? IS_WHOLE : GOES_ON;
    } else if (is_key(VERASE, byte) || byte == '\b' || byte == 0x7F) {
        erase(line);
        return GOES_ON;
    } else if (is_key(VKILL, byte)) {
        line->count = 0;
        line->is_cut = 0;
        return GOES_ON;
    } else if (is_extended && is_key(VWERASE, byte)) {
        erase_word(line);
        return GOES_ON;
    } else if (is_extended && is_key(VLNEXT, byte)) {
        line->is_quoted = 1;
        return GOES_ON;
    }
    // As much as a terminal that edits lines passes on, with the line's end.
    if (line->count + 2 < line->capacity) line->bytes[line->count++] = (char)byte;
    else line->is_cut = 1;
    return GOES_ON;
}

// Once what was typed has been read into the room behind the line.
static int take_typed(struct line *line, size_t count) {
    const char *typed = line->bytes + line->count;
    // The line never grows by more than has been taken of what was typed.
    for (size_t i = 0; i < count; i++) {
        int state = edit(line, (unsigned char)typed[i]);
        if (state != GOES_ON) return state;
    }
    return GOES_ON;
}

// Whether what is typed comes by the keeper. What may be seen is edited by the terminal, where the keeper would not see
// Ctrl-D.
static int is_kept(void) { return keeper.process > 0 && !is_shown; }

static void start_keeper(void) { zamok_keeper_start(&keeper, &visible, &asking); }

static void begin_keeper(void) {
    if (is_kept() && zamok_keeper_begin(&keeper) != 0) zamok_keeper_end(&keeper);
}

// No secret is shown after the end of a keeper that took this process for gone.
static void hide_again(void) {
    if (tcgetpgrp(terminal) != getpgrp() || zamok_terminal_is_set_so(terminal, &asking)) return;
    while (tcsetattr(terminal, TCSANOW, &asking) < 0 && errno == EINTR) {}
}

// Another one takes its place, as long as that seems to be of use. The former may have given the terminal back.
static void replace_keeper(int is_useful) {
    zamok_keeper_end(&keeper);
    hide_again();
    if (is_useful) start_keeper();
    begin_keeper();
}

// How long what is typed may wait for the keeper.
enum { LATE = 50 };

static ssize_t read_typed(char *bytes, size_t capacity) {
    for (int ends = 0, is_late = 0;;) {
        int source = is_kept() ? keeper.end : terminal;
        struct pollfd sources[4] = {
            {.fd = source, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}, {.fd = keeper.end},
            {.fd = is_kept() && !is_late ? terminal : -1, .events = POLLIN}};
        int ready = interruption() ? 1 : poll(sources, 4, is_late ? LATE : -1);
        if (interruption()) return interruption();
        if (ready < 0 && errno != EINTR) return -errno;
        // What a keeper passed on before it was stopped or killed comes first.
        int is_there = ready > 0 && sources[0].revents;
        ssize_t part = is_there ? read(source, bytes, capacity) : -1;
        if (is_there && part < 0 && errno != EINTR && errno != EAGAIN) return -errno;
        if (part > 0 || (part == 0 && source == terminal)) return part;
        // A keeper that was stopped reads nothing: killed now, this process would leave to the shell what is typed.
        if (is_late && zamok_keeper_is_stopped(&keeper)) replace_keeper(ends++ < 3);
        is_late = ready > 0 && sources[3].revents;
        // It ended.
        if (ready > 0 && (part == 0 || sources[2].revents)) replace_keeper(ends++ < 3);
    }
}

static int64_t read_line(char *bytes, size_t capacity) {
    struct line line = {.bytes = bytes, .capacity = capacity};
    for (;;) {
        ssize_t part = read_typed(bytes + line.count, capacity - line.count);
        if (part < 0) return part;
        // The terminal is gone or, where it edits the line itself, Ctrl-D.
        if (part == 0) return line.count ? (int64_t)line.count : -ECANCELED;
        if (is_shown) {
            line.count += (size_t)part;
            // The terminal drops what is beyond its own room without a word, so a full line may be a cut one.
            if (line.count >= capacity) return -EMSGSIZE;
            if (bytes[line.count - 1] == '\n') return (int64_t)line.count - 1;
            continue;
        }
        int state = take_typed(&line, (size_t)part);
        if (state == IS_GIVEN_UP) return -ECANCELED;
        if (state == IS_WHOLE) return line.is_cut ? -EMSGSIZE : (int64_t)line.count;
    }
}

static int64_t prompt_once(const char *prompt, size_t prompt_count, void *bytes, size_t capacity) {
    choose_settings();
    // Where there can be no second process, the prompt is as safe as this one's own signals make it.
    start_keeper();
    int64_t result = change();
    begin_keeper();
    if (result == 0) result = say(prompt, prompt_count);
    if (result == 0) result = read_line(bytes, capacity);
    // The end of the line was typed, but not shown. Where the output is stopped it is left out: no end waits for that.
    if (is_changed && result != -EIO && (!is_shown || result < 0)) {
        ssize_t ignored = write(terminal, "\n", 1);
        (void)ignored;
    }
    // What follows a secret's line is dropped too: it was typed for this program, or is the rest of a paste.
    restore(!is_shown || result < 0);
    zamok_keeper_end(&keeper);
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

static int open_wake(void) {
    is_cancelled = 0;
    if (pipe(wake) < 0) return -errno;
    for (int end = 0; end < 2; end++) {
        fcntl(wake[end], F_SETFD, FD_CLOEXEC);
        fcntl(wake[end], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

static int open_all(void) {
    terminal = zamok_open(AT_FDCWD, "/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK, 0);
    if (terminal < 0) return -ENXIO;
    pthread_mutex_lock(&waking);
    int result = open_wake();
    pthread_mutex_unlock(&waking);
    return result;
}

static void close_all(void) {
    pthread_mutex_lock(&waking);
    int files[] = {atomic_exchange(&terminal, -1), wake[0], wake[1]};
    wake[0] = wake[1] = -1;
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0) zamok_close(files[i]);
    pthread_mutex_unlock(&waking);
}

void zamok_cancel_line(void) {
    pthread_mutex_lock(&waking);
    is_cancelled = 1;
    // Full, it wakes the prompt anyway.
    ssize_t ignored = wake[1] >= 0 ? write(wake[1], "", 1) : 0;
    (void)ignored;
    pthread_mutex_unlock(&waking);
}

// Two programs of one job, as in a pipeline, ask one after the other: each would take the other's settings for the
// user's, and what is typed would be shared out. The lock is on the device, at the job's number: another job, which may
// be stopped at its prompt, has another. It goes with its process.
#ifdef __linux__
static int lock = -1;

static int set_lock(int type) {
    struct flock place = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = getpgrp(), .l_len = 1};
    return fcntl(lock, F_OFD_SETLK, &place);
}

static void open_lock(void) {
    unsigned device;
    char path[40];
    struct stat found;
    if (ioctl(terminal, TIOCGDEV, &device) < 0) return;
    snprintf(path, sizeof path, "/dev/pts/%u", minor(device));
    lock = zamok_open(AT_FDCWD, path, O_RDWR | O_NOCTTY | O_NONBLOCK, 0);
    if (lock < 0 || (fstat(lock, &found) == 0 && found.st_rdev == (dev_t)device)) return;
    zamok_close(lock);
    lock = -1;
}

static void close_lock(void) {
    if (lock < 0) return;
    // Not left to closing: a child of this process may have the file, too.
    set_lock(F_UNLCK);
    zamok_close(lock);
    lock = -1;
}

// How often it tries, in milliseconds.
enum { TRY = 20 };

static int await_lock(void) {
    while (lock >= 0 && set_lock(F_WRLCK) < 0 && (errno == EAGAIN || errno == EINTR)) {
        if (interruption()) return interruption();
        struct pollfd source = {.fd = wake[0], .events = POLLIN};
        poll(&source, 1, TRY);
    }
    return 0;
}
#else
static void open_lock(void) {}
static void close_lock(void) {}
static int await_lock(void) { return 0; }
#endif

// Old wake-up calls may be waiting.
static void empty_wake(void) {
    char ignored[64];
    while (read(wake[0], ignored, sizeof ignored) > 0) {}
}

// The terminal may have been set anew while this process was stopped. But a shell may also give a program that was
// stopped the settings that it had then: those of the prompt.
static int look_anew(int is_first) {
    if (!is_first && zamok_terminal_is_set_so(terminal, &asking)) return 0;
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
    if (result == 0) open_lock();
    for (int goes_on = result == 0, is_first = 1; goes_on;) {
        empty_wake();
        take_signals();
        result = await_lock();
        if (result == 0) result = look_anew(is_first);
        if (result == 0) is_first = 0;
        if (result == 0) result = prompt_once(prompt, prompt_count, bytes, capacity);
        give_signals_back();
        int is_survived = is_any_caught() && !answer_signals();
        if (is_survived) result = -ECANCELED;
        goes_on = result == -EINTR;
    }
    if (result < 0) zamok_wipe(bytes, capacity);
    close_lock();
    close_all();
    pthread_mutex_unlock(&turn);
    return result;
}
#else
void zamok_cancel_line(void) {}
int64_t zamok_read_line(const char *prompt, size_t prompt_count, int shown, void *bytes, size_t capacity) {
    return -ENOSYS;
}
#endif
