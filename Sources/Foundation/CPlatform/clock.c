// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <stdio.h>
#include <time.h>
#if __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

int64_t zamok_boot_time(void) {
#if __linux__
    struct timespec now;
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -errno;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#else
    return -ENOSYS;
#endif
}

static int64_t clock_of(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) return -errno;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t zamok_wall_time(void) { return clock_of(CLOCK_REALTIME); }

#if __linux__
int64_t zamok_coarse_time(void) { return clock_of(CLOCK_MONOTONIC_COARSE); }

// The offset of this process's clock from the machine's, in nanoseconds; negated errno in `failure`.
static int64_t namespace_offset(int *failure) {
    *failure = -ENOTSUP;
    struct statfs system;
    int file = zamok_open(AT_FDCWD, "/proc/self/timens_offsets", O_RDONLY, 0);
    if (file == -ENOENT) {
        // A kernel without time namespaces, if this is the kernel's own folder; else somebody's empty one.
        if (statfs("/proc/self", &system) == 0 && system.f_type == PROC_SUPER_MAGIC) *failure = 0;
        return 0;
    }
    if (file < 0) return 0;
    char text[256] = {0}, own[64] = {0}, childrens[64] = {0};
    int64_t count = fstatfs(file, &system) == 0 && system.f_type == PROC_SUPER_MAGIC
        ? zamok_read_at(file, text, sizeof text - 1, -1) : -1;
    zamok_close(file);
    // What is written there is the offset of the children's namespace: it is ours only if both are one.
    if (count <= 0 || readlink("/proc/self/ns/time", own, sizeof own - 1) <= 0
        || readlink("/proc/self/ns/time_for_children", childrens, sizeof childrens - 1) <= 0 || strcmp(own, childrens))
        return 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        long long seconds, nanoseconds;
        char name[32];
        // A number in place of the name is that of older kernels.
        if (sscanf(line, "%31s %lld %lld", name, &seconds, &nanoseconds) != 3) continue;
        if (strcmp(name, "boottime") && strcmp(name, "7")) continue;
        *failure = 0;
        return (int64_t)seconds * 1000000000 + nanoseconds;
    }
    return 0;
}

int64_t zamok_machine_time(void) {
    // Per process: a child may be born into another namespace. Nobody changes the offset of one that has a process in it.
    static _Atomic int32_t known;
    static _Atomic int64_t offset;
    int32_t process = zamok_process_quick();
    if (known != process) {
        int failure;
        int64_t found = namespace_offset(&failure);
        if (failure) return failure;
        offset = found;
        known = process;
    }
    int64_t now = zamok_boot_time();
    return now < 0 ? now : now - offset;
}

static int digit(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    if (character >= 'a' && character <= 'f') return character - 'a' + 10;
    return -1;
}

int zamok_boot_id(uint8_t *identifier) {
    char text[64] = {0};
    int file = zamok_open(AT_FDCWD, "/proc/sys/kernel/random/boot_id", O_RDONLY, 0);
    if (file < 0) return file;
    int64_t count = zamok_read_at(file, text, sizeof text - 1, -1);
    zamok_close(file);
    if (count < 0) return (int)count;
    int digits = 0;
    for (int64_t i = 0; i < count && digits < 32; i++) {
        int value = digit(text[i]);
        if (value < 0) continue;
        identifier[digits / 2] = (uint8_t)(digits % 2 ? identifier[digits / 2] | value : value << 4);
        digits++;
    }
    return digits == 32 ? 0 : -EINVAL;
}
#else
int64_t zamok_coarse_time(void) { return clock_of(CLOCK_MONOTONIC); }
int64_t zamok_machine_time(void) { return zamok_boot_time(); }
int zamok_boot_id(uint8_t *identifier) { return -ENOSYS; }
#endif
