// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <grp.h>
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

int zamok_is_private_group(uint32_t group) {
    char buffer[4096], more[16384];
    struct passwd entry, *user = NULL;
    struct group groups, *found = NULL;
    if (getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &user) != 0 || !user || user->pw_gid != group) return 0;
    if (getgrgid_r((gid_t)group, &groups, more, sizeof more, &found) != 0 || !found) return 0;
    if (strcmp(found->gr_name, user->pw_name)) return 0;
    for (char **member = found->gr_mem; *member; member++)
        if (strcmp(*member, user->pw_name)) return 0;
    return 1;
}
