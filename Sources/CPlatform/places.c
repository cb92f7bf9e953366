// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <pwd.h>

int64_t zamok_executable_path(char *text, size_t capacity) {
#if __linux__
    ssize_t count = readlink("/proc/self/exe", text, capacity);
    if (count < 0) return -errno;
    return (size_t)count == capacity ? -ENAMETOOLONG : (int64_t)count;
#else
    return -ENOSYS;
#endif
}

int64_t zamok_account_folder(char *text, size_t capacity) {
    char buffer[4096];
    struct passwd entry, *found = NULL;
    int result = getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &found);
    if (result != 0) return -result;
    if (!found || !entry.pw_dir) return -ENOENT;
    size_t count = strlen(entry.pw_dir);
    if (count > capacity) return -ENAMETOOLONG;
    memcpy(text, entry.pw_dir, count);
    return (int64_t)count;
}
