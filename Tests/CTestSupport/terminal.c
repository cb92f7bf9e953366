// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int tools_open_terminal(char *path, size_t capacity, int columns, int rows) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    int outer = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (outer < 0) return -errno;
    int failure = grantpt(outer) < 0 || unlockpt(outer) < 0 || ioctl(outer, TIOCSWINSZ, &size) < 0 ? errno : 0;
    if (!failure) failure = ptsname_r(outer, path, capacity);
    if (!failure) return outer;
    close(outer);
    return -failure;
}

int tools_take_terminal(const char *path) {
    int terminal = open(path, O_RDWR | O_NOCTTY);
    if (terminal < 0) return -errno;
    return ioctl(terminal, TIOCSCTTY, 0) < 0 ? -errno : terminal;
}

int tools_terminal_echoes(int terminal) {
    struct termios settings;
    if (tcgetattr(terminal, &settings) < 0) return -errno;
    return (settings.c_lflag & ECHO) != 0;
}

int tools_terminal_waiting(const char *path) {
    int terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), count = -1;
    if (terminal < 0) return -errno;
    // What was typed may still be on its way: poll(2) has the kernel deliver it first, FIONREAD doesn't.
    struct pollfd ready = {.fd = terminal, .events = POLLIN};
    poll(&ready, 1, 0);
    int result = ioctl(terminal, FIONREAD, &count) < 0 ? -errno : count;
    close(terminal);
    return result;
}

int tools_terminal_left(int terminal) {
    struct termios before, raw;
    if (tcgetattr(terminal, &before) < 0) return -errno;
    raw = before;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tcsetattr(terminal, TCSANOW, &raw);
    char bytes[4096];
    ssize_t count = read(terminal, bytes, sizeof bytes);
    int result = count < 0 ? -errno : (int)count;
    // As a shell that takes the terminal as it finds it.
    tcsetattr(terminal, TCSANOW, &before);
    return result;
}

int tools_set_foreground(int terminal, int32_t group) {
    // Asked from the background this would stop the caller.
    void (*before)(int) = signal(SIGTTOU, SIG_IGN);
    int result = tcsetpgrp(terminal, group) < 0 ? -errno : 0;
    signal(SIGTTOU, before);
    return result;
}

int tools_set_group(int32_t process, int32_t group) { return setpgid(process, group) < 0 ? -errno : 0; }
