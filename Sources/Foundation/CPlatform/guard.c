// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <limits.h>

#if __linux__

#include <arpa/inet.h>
#include <netinet/in.h>
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <termios.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

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

static int connect_to(const char *path, int kind) {
    struct sockaddr_un address;
    int failure = address_of(path, &address);
    if (failure != 0) return failure;
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | kind, 0);
    if (made < 0) return -errno;
    while (connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
        if (errno == EINTR) continue;
        failure = -errno;
        close(made);
        return failure;
    }
    return made;
}

int zamok_guard_connect(const char *path) { return connect_to(path, 0); }

int zamok_guard_is_dead(const char *path) {
    int made = connect_to(path, SOCK_NONBLOCK);
    if (made >= 0) close(made);
    return made == -ECONNREFUSED;
}

int zamok_guard_send(int socket, const void *bytes, size_t count) {
    for (const char *next = bytes, *end = next + count; next < end;) {
        ssize_t sent = send(socket, next, (size_t)(end - next), MSG_NOSIGNAL);
        if (sent >= 0) next += sent;
        else if (errno != EINTR) return -errno;
    }
    return 0;
}

// Here and below, what can be done at once needs no wait before it: each call of the kernel counts in a lookup.
int64_t zamok_guard_send_part(int socket, const void *bytes, size_t from, size_t count, int milliseconds) {
    ssize_t sent = send(socket, (const char *)bytes + from, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return sent;
    if (errno == EAGAIN) {
        struct pollfd wanted = {.fd = socket, .events = POLLOUT};
        poll(&wanted, 1, milliseconds);
        return -ETIMEDOUT;
    }
    return errno == EINTR ? -ETIMEDOUT : -errno;
}

// Milliseconds of a clock that no change of the time moves.
static long long clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// How long a message is looked for before a thread sleeps, in nanoseconds: a lookup is answered sooner than an idle
// processor of a virtual machine wakes. A thread for which that was in vain, since others have the processors or nothing
// more is asked, leaves it out the next 2, 4 and so on up to 1,024 times.
static const long long PATIENCE = 100000;
static _Thread_local unsigned in_vain, left_out;

static ssize_t receive_soon(int socket, void *bytes, size_t count) {
    ssize_t received = recv(socket, bytes, count, MSG_DONTWAIT);
    if (received >= 0 || errno != EAGAIN) return received;
    if (left_out > 0) {
        left_out--;
        return received;
    }
    for (long long end = nanoseconds() + PATIENCE; nanoseconds() < end;) {
        received = recv(socket, bytes, count, MSG_DONTWAIT);
        if (received >= 0 || errno != EAGAIN) {
            in_vain = 0;
            return received;
        }
    }
    if (in_vain < 10) in_vain++;
    left_out = 1u << in_vain;
    errno = EAGAIN;
    return -1;
}

int zamok_guard_receive(int socket, void *bytes, size_t count, int milliseconds) {
    long long start = milliseconds < 0 ? 0 : nanoseconds();
    for (char *next = bytes, *last = next + count; next < last;) {
        ssize_t received = receive_soon(socket, next, (size_t)(last - next));
        if (received < 0 && errno == EAGAIN) {
            if (milliseconds < 0) {
                received = recv(socket, next, (size_t)(last - next), 0);
            } else {
                struct pollfd wanted = {.fd = socket, .events = POLLIN};
                long long left = milliseconds - (nanoseconds() - start) / 1000000;
                if (left <= 0 || poll(&wanted, 1, (int)left) == 0) return -ETIMEDOUT;
                continue;
            }
        }
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
    // Another guard removes sockets that refuse: the name appears when this one listens.
    char new[sizeof address.sun_path];
    if (snprintf(new, sizeof new, "%s.", path) >= (int)sizeof new) return -ENAMETOOLONG;
    memcpy(address.sun_path, new, strlen(new) + 1);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return -errno;
    // Not by the umask: it is the whole process's, and another thread may make files and folders at this moment.
    int result = fchmod(made, 0600);
    if (result == 0) result = bind(made, (struct sockaddr *)&address, sizeof address);
    if (result == 0) result = listen(made, 1024);
    if (result == 0) result = rename(new, path);
    failure = result == 0 ? 0 : -errno;
    if (failure == 0) return made;
    close(made);
    return failure;
}

// The start of a process, in clock ticks since that of the machine; negative: it is gone.
static long long start_of(int process) {
    char name[64], text[1024];
    snprintf(name, sizeof name, "/proc/%d/stat", process);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return -1;
    text[count] = 0;
    // The second field is the program's name, in parentheses, and may have any bytes.
    char *field = strrchr(text, ')');
    for (int number = 2; field != NULL && number < 22; number++) field = strchr(field + 1, ' ');
    return field == NULL ? -1 : strtoll(field, NULL, 10);
}

uint64_t zamok_guard_namespace_of_peer(int socket, int process) {
    // SO_PEERPIDFD, of Linux 6.5: this very process, also if its number is given anew.
    int handle = -1;
    socklen_t size = sizeof handle;
    if (getsockopt(socket, SOL_SOCKET, 77, &handle, &size) != 0) handle = -1;
    long long before = handle < 0 ? start_of(process) : 0;
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/ns/pid", process);
    struct stat status;
    int found = before >= 0 && stat(name, &status) == 0;
    if (handle >= 0) {
        // Ready to be read: it has ended, and the number may have been another's.
        struct pollfd state = {.fd = handle, .events = POLLIN};
        if (poll(&state, 1, 0) != 0) found = 0;
        close(handle);
    } else if (start_of(process) != before) {
        found = 0;
    }
    return found ? status.st_ino : 0;
}

int zamok_guard_place(int folder, const char *path) {
    int place = folder < 0 ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) : fcntl(folder, F_DUPFD_CLOEXEC, 3);
    if (place < 0) return -errno;
    char part[256];
    while (*path != 0) {
        size_t count = strcspn(path, "/");
        if (count >= sizeof part) {
            close(place);
            return -ENAMETOOLONG;
        }
        memcpy(part, path, count);
        part[count] = 0;
        path += count + (path[count] == '/');
        if (count == 0) continue;
        int next = openat(place, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        int failure = next < 0 ? -errno : 0;
        close(place);
        if (failure != 0) return failure;
        place = next;
    }
    return place;
}

int zamok_guard_root(int process) {
    char name[32];
    snprintf(name, sizeof name, "/proc/%d/root", process);
    int place = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return place < 0 ? -errno : place;
}

int zamok_guard_mount_state(int place) {
    struct statx extended;
    struct statvfs system;
    if (fstatvfs(place, &system) != 0) return -errno;
    int state = system.f_flag & ST_RDONLY ? 1 : 0;
    // STATX_ATTR_MOUNT_ROOT, of Linux 5.8.
    enum { MOUNT_ROOT = 0x2000 };
    if (statx(place, "", AT_EMPTY_PATH, 0, &extended) != 0 || !(extended.stx_attributes_mask & MOUNT_ROOT))
        return state | 2;
    return extended.stx_attributes & MOUNT_ROOT ? state | 2 : state;
}

// By numbers: the headers of the oldest systems lack them.
enum { PIDFD_SEND_SIGNAL = 424, PIDFD_OPEN = 434 };

int zamok_guard_hold(int process) {
    int handle = (int)syscall(PIDFD_OPEN, process, 0);
    return handle < 0 ? -errno : handle;
}

void zamok_guard_end_held(int handle, int process) {
    if (handle >= 0) syscall(PIDFD_SEND_SIGNAL, handle, SIGKILL, NULL, 0);
    else kill(process, SIGKILL);
}

// What getdents64 gives.
struct entry { uint64_t inode; int64_t next; unsigned short size; unsigned char type; char name[]; };

// A folder that zamok_guard_private has to look into.
struct place { struct place *next; int levels, is_first; char path[]; };
// What it looks through, the nearest folders first, and what it has found.
struct look {
    pthread_mutex_t mutex;
    pthread_cond_t more;
    struct place *first, **last;
    int busy, folders;
    atomic_int rest;
    char *found;
    size_t size, room;
};

static void *need(void *memory) {
    if (!memory) abort();
    return memory;
}

static void append(struct look *look, const char *path, size_t length, int levels, int is_first) {
    struct place *place = need(malloc(sizeof *place + length + 1));
    place->next = NULL;
    place->levels = levels;
    place->is_first = is_first;
    memcpy(place->path, path, length + 1);
    pthread_mutex_lock(&look->mutex);
    *look->last = place;
    look->last = &place->next;
    pthread_cond_signal(&look->more);
    pthread_mutex_unlock(&look->mutex);
}

static void tell(struct look *look, const char *path, size_t length) {
    pthread_mutex_lock(&look->mutex);
    if (look->size + length + 1 > look->room) {
        look->room = 2 * (look->size + length + 1);
        look->found = need(realloc(look->found, look->room));
    }
    memcpy(look->found + look->size, path, length + 1);
    look->size += length + 1;
    pthread_mutex_unlock(&look->mutex);
}

static void look_into(struct look *look, const struct place *place) {
    _Alignas(struct entry) char entries[16384];
    char path[4096];
    size_t length = strlen(place->path);
    if (length + 2 > sizeof path) return;
    memcpy(path, place->path, length);
    path[length] = '/';
    // The first may be a symbolic link, as /opt is in some systems.
    int folder = open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (place->is_first ? 0 : O_NOFOLLOW));
    if (folder < 0) return;
    for (long count; (count = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
        for (long at = 0; at < count;) {
            const struct entry *entry = (const struct entry *)(entries + at);
            at += entry->size;
            const char *name = entry->name;
            if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
            int is_known = entry->type != DT_UNKNOWN;
            if (look->folders && is_known && entry->type != DT_DIR) continue;
            size_t whole = length + 1 + strlen(name);
            if (whole + 1 > sizeof path) continue;
            if (atomic_fetch_sub(&look->rest, 1) <= 0) goto over;
            if (is_known && entry->type != DT_DIR && entry->type != DT_REG) continue;
            memcpy(path + length + 1, name, whole - length);
            struct stat status;
            if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
                if (!look->folders) tell(look, path, whole);
            } else if (S_ISDIR(status.st_mode)) {
                if ((status.st_mode & 05) != 05) tell(look, path, whole);
                else if (place->levels > 1) append(look, path, whole, place->levels - 1, 0);
            } else if (!look->folders && S_ISREG(status.st_mode) && !(status.st_mode & 04)) {
                tell(look, path, whole);
            }
        }
    }
over:
    close(folder);
}

static void *look_through(void *context) {
    struct look *look = context;
    pthread_mutex_lock(&look->mutex);
    while (look->first || look->busy > 0) {
        struct place *place = look->first;
        if (!place) {
            pthread_cond_wait(&look->more, &look->mutex);
            continue;
        }
        look->first = place->next;
        if (!look->first) look->last = &look->first;
        look->busy++;
        pthread_mutex_unlock(&look->mutex);
        if (atomic_load(&look->rest) > 0) look_into(look, place);
        free(place);
        pthread_mutex_lock(&look->mutex);
        look->busy--;
    }
    pthread_cond_broadcast(&look->more);
    pthread_mutex_unlock(&look->mutex);
    return NULL;
}

char *zamok_guard_private(const char *folder, int levels, int folders, int most, size_t *size) {
    struct look look = {.mutex = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .folders = folders};
    look.last = &look.first;
    atomic_init(&look.rest, most);
    append(&look, folder, strlen(folder), levels, 1);
    // Two look at once: most of it is the kernel's time.
    pthread_t second;
    int has_second = pthread_create(&second, NULL, look_through, &look) == 0;
    look_through(&look);
    if (has_second) pthread_join(second, NULL);
    *size = look.size;
    return look.found;
}

static int is_same(const struct stat *one, const struct stat *other) {
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_mode == other->st_mode &&
           one->st_size == other->st_size && one->st_ctim.tv_sec == other->st_ctim.tv_sec &&
           one->st_ctim.tv_nsec == other->st_ctim.tv_nsec;
}

int zamok_guard_copy(const char *from, const char *to, const struct stat *expected) {
    int source = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (source < 0) return -errno;
    struct stat status;
    int failure = fstat(source, &status) != 0 ? -errno : !is_same(&status, expected) ? -ESTALE : 0;
    int made = -1;
    if (failure == 0) {
        made = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (made < 0) failure = -errno;
    }
    char part[65536];
    while (failure == 0) {
        ssize_t count = read(source, part, sizeof part);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) failure = -errno;
        if (count <= 0) break;
        for (ssize_t done = 0; done < count && failure == 0;) {
            ssize_t written = write(made, part + done, (size_t)(count - done));
            if (written > 0) done += written;
            else if (errno != EINTR) failure = -errno;
        }
    }
    if (failure == 0 && fstat(source, &status) != 0) failure = -errno;
    if (failure == 0 && !is_same(&status, expected)) failure = -ESTALE;
    if (failure == 0 && fchmod(made, status.st_mode & 0755) != 0) failure = -errno;
    if (made >= 0) close(made);
    close(source);
    return failure;
}

int zamok_guard_wait_for_mounts(int table) {
    struct pollfd state = {.fd = table, .events = POLLPRI};
    while (poll(&state, 1, -1) < 0)
        if (errno != EINTR) return -errno;
    return 0;
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

int zamok_guard_end(int socket) { return shutdown(socket, SHUT_RDWR) == 0 ? 0 : -errno; }

int zamok_guard_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT_MAX) return INT_MAX;
    return (int)limit.rlim_cur;
}

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

void zamok_guard_end_holders(int pipe) {
    struct stat wanted, found;
    if (fstat(pipe, &wanted) != 0) return;
    DIR *processes = opendir("/proc");
    if (!processes) return;
    for (struct dirent *process; (process = readdir(processes)) != NULL;) {
        int number = atoi(process->d_name);
        if (number <= 1 || number == getpid()) continue;
        char name[300];
        snprintf(name, sizeof name, "/proc/%d/fd", number);
        DIR *files = opendir(name);
        if (!files) continue;
        for (struct dirent *file; (file = readdir(files)) != NULL;) {
            if (fstatat(dirfd(files), file->d_name, &found, 0) != 0) continue;
            if (found.st_ino != wanted.st_ino || found.st_dev != wanted.st_dev) continue;
            kill(number, SIGKILL);
            break;
        }
        closedir(files);
    }
    closedir(processes);
}

int zamok_guard_watch_start(int life, int pipe) {
    pid_t watcher = fork();
    if (watcher != 0) return watcher < 0 ? -errno : watcher;
    // Nothing of the person's: no terminal's signals, no descriptors that another program waits at.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    dup2(life, 0);
    dup2(pipe, 1);
    dup2(pipe, 2);
    zamok_guard_close_from(3, 1);
    char told;
    ssize_t count;
    do count = read(0, &told, 1);
    while (count < 0 && errno == EINTR);
    // The guard was killed. bubblewrap ends with it, and may leave its first process inside waiting for ever.
    for (int i = 0; count == 0 && i < 100; i++) {
        zamok_guard_end_holders(1);
        usleep(10000);
    }
    _exit(0);
}

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGTSTP, SIGCONT};
enum { COUNT = sizeof passed_on / sizeof *passed_on };

static volatile sig_atomic_t guest;
static volatile uint64_t guest_namespace;

// Whether /proc/PROCESS/stat says that it is stopped, or has ended; or that it waits in the kernel, as for a child of
// vfork that was stopped before its exec. Such a process runs none of its program until it stops.
static int is_still(int folder, const char *process, size_t length) {
    char name[32], text[512];
    memcpy(name, process, length);
    memcpy(name + length, "/stat", 6);
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 1;
    ssize_t count = read(file, text, sizeof text);
    close(file);
    // The program's name comes before, in parentheses, and may have any bytes.
    while (count > 0 && text[count - 1] != ')') count--;
    if (count <= 0 || count + 1 >= (ssize_t)sizeof text) return 1;
    return strchr("TtZXD", text[count + 1]) != NULL;
}

// A signal for every process of the guest, also of other groups; how many are still running. Calls only what a handler
// may.
static int to_all(int number) {
    _Alignas(struct entry) char entries[8192];
    int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return 0;
    int running = 0;
    for (long count; (count = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
        for (long at = 0; at < count;) {
            struct entry *entry = (struct entry *)(entries + at);
            at += entry->size;
            pid_t process = 0;
            for (const char *digit = entry->name; *digit >= '0' && *digit <= '9'; digit++)
                process = process * 10 + (*digit - '0');
            if (process <= 1) continue;
            char name[32];
            size_t length = strlen(entry->name);
            if (length > 12) continue;
            memcpy(name, entry->name, length);
            memcpy(name + length, "/ns/pid", 8);
            struct stat status;
            if (fstatat(folder, name, &status, 0) != 0 || status.st_ino != guest_namespace) continue;
            kill(process, number);
            if (!is_still(folder, entry->name, length)) running++;
        }
    }
    close(folder);
    return running;
}

// Whether a terminal of the standard descriptors is another job's. The kernel keeps only processes of its own session
// from reading then, and the guest is in another one.
static int is_behind(void) {
    for (int file = 0; file < 3; file++) {
        pid_t front = tcgetpgrp(file);
        if (front > 0 && front != getpgrp()) return 1;
    }
    return 0;
}

void zamok_guard_wait_for_front(void) {
    while (is_behind()) raise(SIGSTOP);
}

// The guest is in another session, so nothing that the terminal sends reaches it by itself.
static void pass_on(int number) {
    int saved = errno;
    if (number == SIGTSTP && guest > 0) {
        // The guest's group has no terminal, and its kernel ignores SIGTSTP for such groups. Until two rounds found none
        // running, for what a process has started meanwhile. One that can't be stopped would read what is typed for the
        // shell.
        struct timespec pause = {.tv_nsec = 2000000};
        int still = 0;
        for (int rounds = 0; still < 2 && rounds < 1000; rounds++) {
            still = to_all(SIGSTOP) == 0 ? still + 1 : 0;
            if (still == 0) nanosleep(&pause, NULL);
        }
        if (still < 2) kill((pid_t)guest, SIGKILL);
        raise(SIGSTOP);
    } else if (number == SIGCONT && guest > 0) {
        zamok_guard_wait_for_front();
        to_all(SIGCONT);
    } else if (guest > 0) {
        kill(-(pid_t)guest, number);
    }
    errno = saved;
}

void zamok_guard_adopt(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void zamok_guard_wait_for_end(int process, int milliseconds) {
    for (long long end = clock_now() + milliseconds; clock_now() < end; usleep(200)) {
        int status;
        pid_t ended = waitpid(process, &status, WNOHANG);
        if (ended == process || (ended < 0 && errno == ECHILD && kill(process, 0) != 0)) return;
    }
}

void zamok_guard_set_guest(int group, uint64_t namespace) {
    guest_namespace = namespace;
    guest = group;
}

int zamok_guard_wait(int program) {
    struct sigaction before[COUNT], action;
    struct termios modes[3];
    int isTerminal[3], flags[3];
    for (int file = 0; file < 3; file++) {
        isTerminal[file] = tcgetattr(file, &modes[file]) == 0;
        flags[file] = fcntl(file, F_GETFL);
    }
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
    int failure = errno;
    // As they were: the guest may have left the terminal without echo.
    sigset_t stops, unblocked;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stops, &unblocked);
    for (int file = 0; file < 3; file++) {
        if (isTerminal[file] && !is_behind()) tcsetattr(file, TCSADRAIN, &modes[file]);
        if (flags[file] >= 0) fcntl(file, F_SETFL, flags[file]);
    }
    pthread_sigmask(SIG_SETMASK, &unblocked, NULL);
    if (ended < 0) return -failure;
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
int64_t zamok_guard_send_part(int socket, const void *bytes, size_t from, size_t count, int milliseconds) {
    (void)socket, (void)bytes, (void)from, (void)count, (void)milliseconds;
    return -ENOSYS;
}
int zamok_guard_is_dead(const char *path) { (void)path; return 0; }
void zamok_guard_end_holders(int pipe) { (void)pipe; }
int zamok_guard_watch_start(int life, int pipe) { (void)life, (void)pipe; return -ENOSYS; }
int zamok_guard_listen(const char *path) { (void)path; return -ENOSYS; }
int zamok_guard_accept(int listener, int32_t *process, uint32_t *user) { (void)listener, (void)process, (void)user; return -ENOSYS; }
uint64_t zamok_guard_namespace_of_peer(int socket, int process) { (void)socket, (void)process; return 0; }
int zamok_guard_place(int folder, const char *path) { (void)folder, (void)path; return -ENOSYS; }
int zamok_guard_root(int process) { (void)process; return -ENOSYS; }
int zamok_guard_mount_state(int place) { (void)place; return -ENOSYS; }
int zamok_guard_wait_for_mounts(int table) { (void)table; return -ENOSYS; }
int zamok_guard_copy(const char *from, const char *to, const struct stat *expected) {
    (void)from, (void)to, (void)expected;
    return -ENOSYS;
}
char *zamok_guard_private(const char *folder, int levels, int folders, int most, size_t *size) {
    (void)folder, (void)levels, (void)folders, (void)most;
    *size = 0;
    return NULL;
}
void zamok_guard_adopt(void) {}
int zamok_guard_hold(int process) { (void)process; return -ENOSYS; }
void zamok_guard_end_held(int handle, int process) { (void)handle, (void)process; }
void zamok_guard_wait_for_end(int process, int milliseconds) { (void)process, (void)milliseconds; }
int zamok_guard_end(int socket) { (void)socket; return -ENOSYS; }
int zamok_guard_file_limit(void) { return INT_MAX; }
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
void zamok_guard_set_guest(int group, uint64_t namespace) { (void)group, (void)namespace; }
void zamok_guard_wait_for_front(void) {}
int zamok_guard_wait(int program) { (void)program; return -ENOSYS; }
int zamok_guard_become(char *const words[]) { (void)words; return -ENOSYS; }
int zamok_guard_landlock(void) { return -ENOSYS; }
int zamok_guard_confine(char *const writable[], int count) { (void)writable, (void)count; return -ENOSYS; }
int zamok_guard_has_filter(void) { return 0; }

#endif
