// SPDX-License-Identifier: Apache-2.0

#include "zamok_system_bus.h"

#include <errno.h>

#if defined(__linux__)
#include <sys/inotify.h>
#include <unistd.h>

/// Files that were used, put there or taken away, and the folder itself.
enum {
    what = IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
};

int zamok_watch_folder(const char *path) {
    int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (descriptor < 0) return -errno;
    if (inotify_add_watch(descriptor, path, what) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}
#else
int zamok_watch_folder(const char *path) {
    (void)path;
    return -ENOSYS;
}
#endif
