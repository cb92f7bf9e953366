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

#include <linux/futex.h>
#include <stdatomic.h>
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

enum { LOCK = 128, LEAVE = 192, BELL = 256, PAGE = 4096 };

const void *guard_proxy_counters(int file) {
    struct stat status;
    char magic[8];
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size != PAGE) return NULL;
    if (pread(file, magic, sizeof magic, 0) != sizeof magic || memcmp(magic, "zamokgen", sizeof magic) != 0) return NULL;
    void *counters = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
    return counters == MAP_FAILED ? NULL : counters;
}

static uint64_t count_at(const void *counters, size_t offset) {
    return atomic_load((const _Atomic uint64_t *)((const char *)counters + offset));
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
