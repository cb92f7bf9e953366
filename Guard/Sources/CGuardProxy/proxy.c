// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CGuardProxy.h"

#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if __linux__

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

int guard_proxy_harden(int parent) {
    struct rlimit none = {0, 0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0) return -errno;
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -errno;
    // 1,024 connections of the guest, and those to servers.
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 4096) {
        files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    return getppid() == parent ? 0 : -ESRCH;
}

int guard_proxy_receive_files(int socket, int files[], int count) {
    enum { MOST = 64 };
    if (count < 0 || count > MOST) return -EINVAL;
    char byte;
    union {
        char bytes[CMSG_SPACE(sizeof(int) * MOST)];
        struct cmsghdr aligned;
    } control;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                             .msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count)};
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;
    if (received == 0) return -EPIPE;
    struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    if (first == NULL || first->cmsg_level != SOL_SOCKET || first->cmsg_type != SCM_RIGHTS
        || first->cmsg_len != CMSG_LEN(sizeof(int) * (size_t)count)) return -EPROTO;
    memcpy(files, CMSG_DATA(first), sizeof(int) * (size_t)count);
    return 0;
}

enum { LOCK = 128, LEAVE = 192, BELL = 256, CHANGES = 320, PAGE = 4096 };

static int is_counters(int file) {
    struct stat status;
    char magic[8];
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == PAGE
        && pread(file, magic, sizeof magic, 0) == sizeof magic && memcmp(magic, "zamokgen", sizeof magic) == 0;
}

const void *guard_proxy_counters(int file) {
    if (!is_counters(file)) return NULL;
    void *counters = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
    return counters == MAP_FAILED ? NULL : counters;
}

static uint64_t count_at(const void *counters, size_t offset) {
    return atomic_load((const _Atomic uint64_t *)((const char *)counters + offset));
}

uint64_t guard_proxy_changes(const void *counters) { return count_at(counters, CHANGES); }

/// The file of that name, if it is another one than `file`; otherwise -1.
static int other_counters(int folder, int file) {
    struct stat known, found;
    int other = openat(folder, "generation", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (other < 0) return -1;
    if (fstat(file, &known) == 0 && fstat(other, &found) == 0
        && (known.st_dev != found.st_dev || known.st_ino != found.st_ino) && is_counters(other)) return other;
    close(other);
    return -1;
}

int guard_proxy_follow_counters(int folder, int file, const void *counters) {
    // Changes by other machines on a file system of the network have no event.
    enum { PATIENCE = 1000 };
    if (fcntl(folder, F_GETFD) < 0) return -errno;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch >= 0 && inotify_add_watch(watch, path, IN_MOVED_TO | IN_CREATE | IN_ONLYDIR) < 0) {
        close(watch);
        watch = -1;
    }
    for (;;) {
        int other = other_counters(folder, file);
        if (other >= 0) {
            // Who waits does so at the former file, wherever it is mapped.
            const char *former = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
            if (former == MAP_FAILED) return -errno;
            if (mmap((void *)counters, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, other, 0) == MAP_FAILED) return -errno;
            (void)syscall(SYS_futex, former + BELL, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
            (void)munmap((void *)former, PAGE);
            if (dup3(other, file, O_CLOEXEC) < 0) return -errno;
            close(other);
            continue;
        }
        struct pollfd one = {watch, POLLIN, 0};
        if (poll(&one, 1, watch < 0 ? PATIENCE : -1) < 0 && errno != EINTR) return -errno;
        char events[4096];
        while (watch >= 0 && read(watch, events, sizeof events) > 0) {}
    }
}

void guard_proxy_wait_for_lock(const void *counters, uint64_t seen[2]) {
    const _Atomic uint32_t *bell = (const _Atomic uint32_t *)((const char *)counters + BELL);
    for (;;) {
        uint32_t rung = atomic_load(bell);
        uint64_t lock = count_at(counters, LOCK), leave = count_at(counters, LEAVE);
        if (lock != seen[0] || leave != seen[1]) {
            seen[0] = lock;
            seen[1] = leave;
            return;
        }
        // The bell is rung after a count has changed. Not private: other processes ring it.
        (void)syscall(SYS_futex, bell, FUTEX_WAIT, rung, NULL, NULL, 0);
    }
}

#else

const void *guard_proxy_counters(int file) { (void)file; return NULL; }
void guard_proxy_wait_for_lock(const void *counters, uint64_t seen[2]) { (void)counters, (void)seen; }
uint64_t guard_proxy_changes(const void *counters) { (void)counters; return 0; }
int guard_proxy_follow_counters(int folder, int file, const void *counters) {
    (void)folder, (void)file, (void)counters;
    return -ENOSYS;
}
int guard_proxy_harden(int parent) { (void)parent; return -ENOSYS; }
int guard_proxy_receive_files(int socket, int files[], int count) {
    (void)socket, (void)files, (void)count;
    return -ENOSYS;
}

#endif

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

int guard_proxy_send(int socket, const void *bytes, size_t count) {
    for (const char *next = bytes, *end = next + count; next < end;) {
        ssize_t sent = send(socket, next, (size_t)(end - next), MSG_NOSIGNAL);
        if (sent >= 0) next += sent;
        else if (errno != EINTR) return -errno;
    }
    return 0;
}

int guard_proxy_receive(int socket, void *bytes, size_t count) {
    for (char *next = bytes, *end = next + count; next < end;) {
        ssize_t received = recv(socket, next, (size_t)(end - next), 0);
        if (received > 0) next += received;
        else if (received == 0) return -EPIPE;
        else if (errno != EINTR) return -errno;
    }
    return 0;
}

static int copy_address(const struct sockaddr *address, unsigned char *bytes) {
    if (address == NULL) return 0;
    if (address->sa_family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)address)->sin_addr, 4);
        return 4;
    }
    if (address->sa_family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

int guard_proxy_networks(unsigned char *bytes, int most) {
    struct ifaddrs *first;
    if (getifaddrs(&first) != 0) return -errno;
    int count = 0;
    for (struct ifaddrs *one = first; one != NULL; one = one->ifa_next) {
        unsigned char address[16] = {0}, mask[16] = {0};
        int size = copy_address(one->ifa_addr, address);
        if (size == 0) continue;
        if (count == most) {
            freeifaddrs(first);
            return -E2BIG;
        }
        unsigned char *next = bytes + GUARD_PROXY_NETWORK_SIZE * count++;
        next[0] = (unsigned char)size;
        next[1] = copy_address(one->ifa_netmask, mask) == size;
        memcpy(next + 2, address, 16);
        memcpy(next + 18, mask, 16);
    }
    freeifaddrs(first);
    return count;
}

void guard_proxy_wipe(void *bytes, size_t count) {
    memset(bytes, 0, count);
    __asm__ volatile("" : : "r"(bytes) : "memory");
}
