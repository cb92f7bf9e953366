// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { header = 10, sizeOffset = 2 };

static int64_t now(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) return -errno;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// 0 once the tpm is ready for `events`.
static int wait_for(int tpm, short events, int64_t deadline) {
    while (1) {
        int64_t left = deadline - now();
        if (left <= 0) return -ETIMEDOUT;
        struct pollfd source = {.fd = tpm, .events = events};
        int ready = poll(&source, 1, (int)(left / 1000000) + 1);
        if (ready > 0) return 0;
        if (ready < 0 && errno != EINTR) return -errno;
    }
}

static int refuse_unless(int isRight, int tpm, int error) {
    if (isRight) return tpm;
    close(tpm);
    return -error;
}

int zamok_tpm_open(const char *path) {
    // Without waiting: a write to the device would otherwise last as long as the command does.
    int tpm = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (tpm < 0) return -errno;
    struct stat status;
    return refuse_unless(fstat(tpm, &status) == 0 && S_ISCHR(status.st_mode), tpm, ENOTTY);
}

int zamok_tpm_connect(const char *path, int64_t nanoseconds) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return -ENAMETOOLONG;
    memcpy(address.sun_path, path, length);
    struct stat status;
    if (stat(path, &status) != 0) return -errno;
    if (!S_ISSOCK(status.st_mode)) return -ENOTSOCK;
    int tpm = socket(AF_UNIX, SOCK_STREAM, 0);
    if (tpm < 0) return -errno;
    // Where many wait already, connecting waits too.
    struct timeval limit = {.tv_sec = nanoseconds / 1000000000, .tv_usec = nanoseconds / 1000 % 1000000};
    int result = fcntl(tpm, F_SETFD, FD_CLOEXEC);
    if (result == 0) result = setsockopt(tpm, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
#ifdef SO_NOSIGPIPE
    int on = 1;
    if (result == 0) result = setsockopt(tpm, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    if (result == 0) {
        do result = connect(tpm, (struct sockaddr *)&address, sizeof address);
        while (result != 0 && errno == EINTR);
    }
    if (result == 0) result = fcntl(tpm, F_SETFL, O_NONBLOCK);
    return refuse_unless(result == 0, tpm, errno == EAGAIN || errno == EINPROGRESS ? ETIMEDOUT : errno);
}

static int send_all(int tpm, const uint8_t *bytes, size_t count, int64_t deadline) {
    size_t sent = 0;
    while (sent < count) {
        int ready = wait_for(tpm, POLLOUT, deadline);
        if (ready < 0) return ready;
        ssize_t part = send(tpm, bytes + sent, count - sent, MSG_NOSIGNAL);
        // A device takes a command as a whole.
        if (part < 0 && errno == ENOTSOCK) part = write(tpm, bytes + sent, count - sent);
        if (part < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (part < 0) return errno == EPIPE ? -ECONNRESET : -errno;
        sent += (size_t)part;
    }
    return 0;
}

static size_t announced(const uint8_t *answer) {
    const uint8_t *size = answer + sizeOffset;
    return (size_t)size[0] << 24 | (size_t)size[1] << 16 | (size_t)size[2] << 8 | (size_t)size[3];
}

int64_t zamok_tpm_exchange(
    int tpm, const void *command, size_t count, void *answer, size_t capacity, int64_t nanoseconds) {
    int64_t deadline = now() + nanoseconds;
    int result = send_all(tpm, command, count, deadline);
    if (result < 0) return result;
    uint8_t *bytes = answer;
    size_t got = 0, whole = header;
    if (capacity < header) return -EINVAL;
    while (got < whole) {
        result = wait_for(tpm, POLLIN, deadline);
        if (result < 0) return result;
        // A device gives the whole answer at once, or loses what there was no room for.
        ssize_t part = read(tpm, bytes + got, capacity - got);
        if (part < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (part < 0) return -errno;
        if (part == 0) return -ECONNRESET;
        got += (size_t)part;
        if (got >= header) {
            whole = announced(bytes);
            if (whole < header || whole > capacity || got > whole) return -EBADMSG;
        }
    }
    return (int64_t)got;
}
