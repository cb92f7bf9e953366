// SPDX-License-Identifier: Apache-2.0

#include "CPlatform.h"
#include <dirent.h>

int zamok_list_folder(int folder, void (*found)(void *context, const char *name), void *context) {
    // A descriptor of its own: reading moves it, and closing the stream closes it.
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (own < 0) return -errno;
    DIR *stream = fdopendir(own);
    if (!stream) {
        int failure = -errno;
        close(own);
        return failure;
    }
    struct dirent *entry;
    errno = 0;
    while ((entry = readdir(stream))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) found(context, entry->d_name);
        errno = 0;
    }
    int failure = -errno;
    closedir(stream);
    return failure;
}
