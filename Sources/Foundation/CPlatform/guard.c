// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"

#if __linux__

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>

int zamok_guard_is_socket(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISSOCK(status.st_mode);
}

// 0, or -ENAMETOOLONG.
static int address_of(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t count = strlen(path);
    if (count >= sizeof address->sun_path) return -ENAMETOOLONG;
    memcpy(address->sun_path, path, count);
    return 0;
}

int zamok_guard_connect(const char *path) {
    struct sockaddr_un address;
    int failure = address_of(path, &address);
    if (failure != 0) return failure;
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return -errno;
    while (connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
        if (errno == EINTR) continue;
        failure = -errno;
        close(made);
        return failure;
    }
    return made;
}

int zamok_guard_send(int socket, const void *bytes, size_t count) {
    for (const char *next = bytes, *end = next + count; next < end;) {
        ssize_t sent = send(socket, next, (size_t)(end - next), MSG_NOSIGNAL);
        if (sent >= 0) next += sent;
        else if (errno != EINTR) return -errno;
    }
    return 0;
}

int zamok_guard_receive(int socket, void *bytes, size_t count, int milliseconds) {
    for (char *next = bytes, *end = next + count; next < end;) {
        if (milliseconds >= 0) {
            struct pollfd wanted = {.fd = socket, .events = POLLIN};
            int ready = poll(&wanted, 1, milliseconds);
            if (ready == 0) return -ETIMEDOUT;
            if (ready < 0 && errno == EINTR) continue;
        }
        ssize_t received = recv(socket, next, (size_t)(end - next), 0);
        if (received > 0) next += received;
        else if (received == 0) return -EPIPE;
        else if (errno != EINTR) return -errno;
    }
    return 0;
}

int zamok_guard_is_over(int socket) {
    struct pollfd state = {.fd = socket, .events = POLLIN};
    return poll(&state, 1, 0) != 0;
}

int zamok_guard_listen(const char *path) {
    struct sockaddr_un address;
    int failure = address_of(path, &address);
    if (failure != 0) return failure;
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return -errno;
    mode_t before = umask(0177);
    int result = bind(made, (struct sockaddr *)&address, sizeof address);
    if (result == 0) result = listen(made, 1024);
    failure = result == 0 ? 0 : -errno;
    umask(before);
    if (failure == 0) return made;
    close(made);
    return failure;
}

int zamok_guard_accept(int listener, int32_t *process, uint32_t *user) {
    for (;;) {
        int made = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (made < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
        if (made < 0) return -errno;
        struct ucred peer;
        socklen_t size = sizeof peer;
        if (getsockopt(made, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
            close(made);
            continue;
        }
        *process = peer.pid;
        *user = peer.uid;
        return made;
    }
}

int zamok_guard_limit(int socket, int seconds) {
    struct timeval limit = {.tv_sec = seconds};
    return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 ? 0 : -errno;
}

int zamok_guard_end(int socket) { return shutdown(socket, SHUT_RDWR) == 0 ? 0 : -errno; }

int zamok_guard_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno;
}

int zamok_guard_listen_loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return -errno;
    if (bind(made, (struct sockaddr *)&address, sizeof address) == 0 && listen(made, 1024) == 0) return made;
    int failure = -errno;
    close(made);
    return failure;
}

int zamok_guard_send_files(int socket, const int files[], int count) {
    enum { MOST = 64 };
    if (count < 1 || count > MOST) return -EINVAL;
    char byte = 1;
    union {
        char bytes[CMSG_SPACE(sizeof(int) * MOST)];
        struct cmsghdr aligned;
    } control;
    memset(&control, 0, sizeof control);
    size_t size = sizeof(int) * (size_t)count;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                             .msg_controllen = CMSG_SPACE(size)};
    struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(first), files, size);
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == 1 ? 0 : sent < 0 ? -errno : -EPIPE;
}

// For kernels before 5.11, where close_range can't only mark.
struct from { int first, now; };

static void one(void *context, const char *name) {
    const struct from *from = context;
    char *end;
    long file = strtol(name, &end, 10);
    if (*end != 0 || file < from->first) return;
    if (from->now) close((int)file);
    else fcntl((int)file, F_SETFD, FD_CLOEXEC);
}

int zamok_guard_close_from(int first, int now) {
    enum { CLOSE_RANGE = 436, MARKED = 4 };
    if (syscall(CLOSE_RANGE, (unsigned)first, ~0U, now ? 0 : MARKED) == 0) return 0;
    int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return -errno;
    struct from from = {first, 0};
    int failure = zamok_list(folder, one, &from);
    close(folder);
    if (failure != 0 || !now) return failure;
    // Closing while listing would close what lists.
    for (int file = first; file < 65536; file++)
        if (fcntl(file, F_GETFD) >= 0) close(file);
    return 0;
}

int zamok_guard_start(char *const words[], const int from[], const int to[], int count) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return -failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -failure;
    }
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    for (int i = 0; i < count && failure == 0; i++) failure = posix_spawn_file_actions_adddup2(&actions, from[i], to[i]);
    pid_t child = 0;
    // The first process of the guest is bubblewrap's, whose first environment stays readable in /proc.
    char *const nothing[] = {NULL};
    if (failure == 0) failure = posix_spawn(&child, words[0], &actions, &attributes, words, nothing);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure == 0 ? child : -failure;
}

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGTSTP, SIGCONT};
enum { COUNT = sizeof passed_on / sizeof *passed_on };

static volatile sig_atomic_t guest;

// The guest is in another session, so nothing that the terminal sends reaches it by itself.
static void pass_on(int number) {
    int saved = errno;
    if (number == SIGTSTP) {
        // The guest's group has no terminal, and its kernel ignores SIGTSTP for such groups.
        if (guest > 0) kill(-(pid_t)guest, SIGSTOP);
        raise(SIGSTOP);
    } else if (guest > 0) {
        kill(-(pid_t)guest, number);
    }
    errno = saved;
}

void zamok_guard_set_group(int group) { guest = group; }

int zamok_guard_wait(int program) {
    struct sigaction before[COUNT], action;
    memset(&action, 0, sizeof action);
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < COUNT; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(passed_on[i], &action, NULL);
    }
    int status = 0;
    pid_t ended;
    do ended = waitpid(program, &status, 0);
    while (ended < 0 && errno == EINTR);
    guest = 0;
    for (int i = 0; i < COUNT; i++) sigaction(passed_on[i], &before[i], NULL);
    if (ended < 0) return -errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int zamok_guard_become(char *const words[]) {
    execvp(words[0], words);
    return -errno;
}

// Landlock, by numbers: the headers of the oldest systems lack it.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
static const uint64_t WRITE_FILE = 1 << 1, REMOVALS = 1 << 4 | 1 << 5, DEVICES = 1 << 6 | 1 << 11,
                      MAKING = 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 12, REFER = 1 << 13, TRUNCATE = 1 << 14;

struct ruleset { uint64_t files, network, scopes; };
struct __attribute__((packed)) rule { uint64_t allowed; int32_t folder; };

int zamok_guard_landlock(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, 1);
    return version < 0 ? -errno : (int)version;
}

int zamok_guard_confine(char *const writable[], int count) {
    int version = zamok_guard_landlock();
    if (version < 0) return version;
    struct ruleset all = {.files = WRITE_FILE | REMOVALS | DEVICES | MAKING};
    if (version >= 2) all.files |= REFER;
    if (version >= 3) all.files |= TRUNCATE;
    if (version >= 6) all.scopes = 3;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int made = (int)syscall(CREATE_RULESET, &all, size, 0);
    if (made < 0) return -errno;
    int failure = 0;
    for (int i = 0; i < count && failure == 0; i++) {
        int place = open(writable[i], O_PATH | O_CLOEXEC);
        if (place < 0 && errno == ENOENT) continue;
        struct stat status;
        if (place < 0 || fstat(place, &status) != 0) {
            failure = -errno;
        } else {
            struct rule rule = {.allowed = all.files & ~DEVICES, .folder = place};
            if (!S_ISDIR(status.st_mode)) rule.allowed = all.files & (WRITE_FILE | TRUNCATE);
            if (syscall(ADD_RULE, made, 1, &rule, 0) != 0) failure = -errno;
        }
        if (place >= 0) close(place);
    }
    // What the person gave stays writable under its name, /dev/stderr for example: a file or terminal elsewhere.
    for (int file = 0; file < 3 && failure == 0; file++) {
        struct stat status;
        char name[32];
        snprintf(name, sizeof name, "/proc/self/fd/%d", file);
        int flags = fcntl(file, F_GETFL);
        if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) continue;
        if (fstat(file, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISCHR(status.st_mode))) continue;
        int place = open(name, O_PATH | O_CLOEXEC);
        if (place < 0) continue;
        struct rule rule = {.allowed = all.files & (WRITE_FILE | TRUNCATE), .folder = place};
        syscall(ADD_RULE, made, 1, &rule, 0);
        close(place);
    }
    if (failure == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) failure = -errno;
    if (failure == 0 && syscall(RESTRICT_SELF, made, 0) != 0) failure = -errno;
    close(made);
    return failure;
}

int zamok_guard_has_filter(void) {
    // PR_GET_SECCOMP: 0 or 2 where there are filters.
    return prctl(21, 0, 0, 0, 0) >= 0;
}

#else

int zamok_guard_is_socket(const char *path) { (void)path; return 0; }
int zamok_guard_connect(const char *path) { (void)path; return -ENOSYS; }
int zamok_guard_send(int socket, const void *bytes, size_t count) { (void)socket, (void)bytes, (void)count; return -ENOSYS; }
int zamok_guard_receive(int socket, void *bytes, size_t count, int milliseconds) {
    (void)socket, (void)bytes, (void)count, (void)milliseconds;
    return -ENOSYS;
}
int zamok_guard_is_over(int socket) { (void)socket; return 1; }
int zamok_guard_listen(const char *path) { (void)path; return -ENOSYS; }
int zamok_guard_accept(int listener, int32_t *process, uint32_t *user) { (void)listener, (void)process, (void)user; return -ENOSYS; }
int zamok_guard_limit(int socket, int seconds) { (void)socket, (void)seconds; return -ENOSYS; }
int zamok_guard_end(int socket) { (void)socket; return -ENOSYS; }
int zamok_guard_pair(int ends[2]) { (void)ends; return -ENOSYS; }
int zamok_guard_listen_loopback(int port) { (void)port; return -ENOSYS; }
int zamok_guard_send_files(int socket, const int files[], int count) {
    (void)socket, (void)files, (void)count;
    return -ENOSYS;
}
int zamok_guard_close_from(int first, int now) { (void)first, (void)now; return -ENOSYS; }
int zamok_guard_start(char *const words[], const int from[], const int to[], int count) {
    (void)words, (void)from, (void)to, (void)count;
    return -ENOSYS;
}
void zamok_guard_set_group(int group) { (void)group; }
int zamok_guard_wait(int program) { (void)program; return -ENOSYS; }
int zamok_guard_become(char *const words[]) { (void)words; return -ENOSYS; }
int zamok_guard_landlock(void) { return -ENOSYS; }
int zamok_guard_confine(char *const writable[], int count) { (void)writable, (void)count; return -ENOSYS; }
int zamok_guard_has_filter(void) { return 0; }

#endif
