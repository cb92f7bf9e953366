// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <dirent.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/xattr.h>
#include <time.h>
#if __linux__
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif

static int answer(int result) { return result < 0 ? -errno : result; }

int zamok_open(int folder, const char *path, int flags, uint32_t mode) {
    int file;
    do file = openat(folder, path, flags | O_CLOEXEC, (mode_t)mode);
    while (file < 0 && errno == EINTR);
    return answer(file);
}

int zamok_open_parent(int folder) {
#if defined(O_PATH)
    return zamok_open(folder, "..", O_PATH | O_DIRECTORY, 0);
#else
    return zamok_open(folder, "..", O_RDONLY | O_DIRECTORY, 0);
#endif
}

// Not begun again: on Linux the descriptor is gone even when the call says EINTR.
int zamok_close(int file) { return close(file) < 0 && errno != EINTR ? -errno : 0; }

int zamok_place_flags(void) {
#if defined(O_PATH)
    return O_PATH | O_DIRECTORY;
#elif defined(O_SEARCH)
    return O_SEARCH | O_DIRECTORY;
#else
    return O_RDONLY | O_DIRECTORY;
#endif
}

// Each part in the folder before it: a folder that is exchanged for a link meanwhile is refused, and moving one elsewhere leads nowhere else.
static int open_by_parts(int folder, const char *path, int flags) {
    char part[256];
    int at = folder;
    for (;;) {
        const char *end = path + strcspn(path, "/");
        size_t size = (size_t)(end - path);
        int result;
        if (size >= sizeof part) {
            result = -ENAMETOOLONG;
        } else {
            memcpy(part, path, size);
            part[size] = 0;
            if (!strcmp(part, "..")) result = -EXDEV;
            else result = zamok_open(at, part, (*end ? zamok_place_flags() : flags) | O_NOFOLLOW, 0);
            // A link that isn't followed is no folder, either.
            struct stat found;
            if (result == -ENOTDIR && fstatat(at, part, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode)) result = -ELOOP;
        }
        if (at != folder) zamok_close(at);
        if (result < 0 || !*end) return result;
        at = result;
        path = end + 1;
    }
}

int zamok_open_beneath(int folder, const char *path, int flags, int by_parts) {
#if __linux__ && defined(SYS_openat2)
    // As in linux/openat2.h, which older systems lack.
    struct { uint64_t flags, mode, resolve; } how = {(uint64_t)(flags | O_CLOEXEC), 0, 0x02 | 0x04 | 0x08};  // NO_MAGICLINKS, NO_SYMLINKS, BENEATH
    if (!by_parts) {
        long result;
        int tries = 0;
        // EAGAIN: something was renamed meanwhile, so that the kernel can't say whether the path leads out.
        do result = syscall(SYS_openat2, folder, path, &how, sizeof how);
        while (result < 0 && (errno == EINTR || (errno == EAGAIN && ++tries < 128)));
        // EPERM is what some containers answer to calls that they don't know.
        if (result >= 0 || (errno != ENOSYS && errno != EPERM)) return answer((int)result);
    }
#endif
    return open_by_parts(folder, path, flags);
}

int zamok_open_unnamed(int folder, const char *path, uint32_t mode) {
#if defined(O_TMPFILE)
    int file = zamok_open(folder, path, O_TMPFILE | O_RDWR, mode);
    if (file < 0) return file;
    int result = zamok_set_mode(file, mode);
    if (result < 0) zamok_close(file);
    return result < 0 ? result : file;
#else
    return -ENOSYS;
#endif
}

int zamok_link_unnamed(int file, int folder, const char *path) {
#if __linux__
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    return answer(linkat(AT_FDCWD, name, folder, path, AT_SYMLINK_FOLLOW));
#else
    return -ENOSYS;
#endif
}

void zamok_advise_sequential(int file) {
#if __linux__
    posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

// On a copy of the descriptor, since closedir closes what it was given.
int zamok_list(int folder, void (*found)(void *context, const char *name), void *context) {
    int copy = zamok_open(folder, ".", O_RDONLY | O_DIRECTORY, 0);
    if (copy < 0) return copy;
    DIR *list = fdopendir(copy);
    if (!list) {
        int failure = -errno;
        zamok_close(copy);
        return failure;
    }
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(list);
        if (!entry) break;
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) found(context, entry->d_name);
    }
    int failure = -errno;
    closedir(list);
    return failure;
}

int64_t zamok_read_at(int file, void *bytes, size_t count, int64_t offset) {
    size_t done = 0;
    while (done < count) {
        char *target = (char *)bytes + done;
        ssize_t part = offset < 0 ? read(file, target, count - done) : pread(file, target, count - done, offset + (off_t)done);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return -errno;
        if (part == 0) break;
        done += (size_t)part;
    }
    return (int64_t)done;
}

int64_t zamok_read_some(int file, void *bytes, size_t count, int64_t offset) {
    ssize_t result;
    do result = pread(file, bytes, count, (off_t)offset);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : (int64_t)result;
}

int64_t zamok_write_at(int file, const void *bytes, size_t count, int64_t offset) {
    size_t done = 0;
    while (done < count) {
        const char *source = (const char *)bytes + done;
        ssize_t part = offset < 0 ? write(file, source, count - done) : pwrite(file, source, count - done, offset + (off_t)done);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return -errno;
        if (part == 0) return -EIO;
        done += (size_t)part;
    }
    return (int64_t)done;
}

int zamok_truncate(int file, int64_t size) {
    int result;
    do result = ftruncate(file, size);
    while (result < 0 && errno == EINTR);
    return answer(result);
}

int zamok_allocate(int file, int64_t offset, int64_t size) {
#if __linux__
    int result;
    do result = posix_fallocate(file, offset, size);
    while (result == EINTR);
    return -result;
#else
    return -ENOSYS;
#endif
}

int zamok_set_owner(int file, uint32_t owner, uint32_t group) { return answer(fchown(file, (uid_t)owner, (gid_t)group)); }

int zamok_set_times(int file, int64_t read_seconds, int64_t read_rest, int64_t modified_seconds, int64_t modified_rest) {
    struct timespec times[2] = {
        {.tv_sec = read_seconds, .tv_nsec = read_rest}, {.tv_sec = modified_seconds, .tv_nsec = modified_rest},
    };
    return answer(futimens(file, times));
}

int zamok_flag_untimed(void) {
#if defined(O_NOATIME)
    return O_NOATIME;
#else
    return 0;
#endif
}

#if __APPLE__
int64_t zamok_list_attributes(int file, char *names, size_t count) {
    ssize_t result = flistxattr(file, names, count, 0);
    return result < 0 ? -errno : result;
}
int64_t zamok_get_attribute(int file, const char *name, void *value, size_t count) {
    ssize_t result = fgetxattr(file, name, value, count, 0, 0);
    return result < 0 ? -errno : result;
}
int zamok_set_attribute(int file, const char *name, const void *value, size_t count) {
    return answer(fsetxattr(file, name, value, count, 0, 0));
}
int zamok_remove_attribute(int file, const char *name) { return answer(fremovexattr(file, name, 0)); }
#else
int64_t zamok_list_attributes(int file, char *names, size_t count) {
    ssize_t result = flistxattr(file, names, count);
    return result < 0 ? -errno : result;
}
int64_t zamok_get_attribute(int file, const char *name, void *value, size_t count) {
    ssize_t result = fgetxattr(file, name, value, count);
    return result < 0 ? -errno : result;
}
int zamok_set_attribute(int file, const char *name, const void *value, size_t count) {
    return answer(fsetxattr(file, name, value, count, 0));
}
int zamok_remove_attribute(int file, const char *name) { return answer(fremovexattr(file, name)); }
#endif

int zamok_set_mode(int file, uint32_t mode) { return answer(fchmod(file, (mode_t)mode)); }

static int64_t nanoseconds(struct timespec time) { return (int64_t)((uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec); }

static void copy_status(const struct stat *from, zamok_file_status *to) {
    to->device = (uint64_t)from->st_dev;
    to->inode = (uint64_t)from->st_ino;
    to->size = from->st_size;
#if __APPLE__
    struct timespec modified = from->st_mtimespec, changed = from->st_ctimespec, accessed = from->st_atimespec;
#else
    struct timespec modified = from->st_mtim, changed = from->st_ctim, accessed = from->st_atim;
#endif
    to->modified_nanoseconds = nanoseconds(modified);
    to->modified_seconds = modified.tv_sec;
    to->modified_rest = modified.tv_nsec;
    to->changed_nanoseconds = nanoseconds(changed);
    to->accessed_seconds = accessed.tv_sec;
    to->accessed_rest = accessed.tv_nsec;
    to->mode = from->st_mode;
    to->owner = from->st_uid;
    to->group = from->st_gid;
    to->links = (uint32_t)from->st_nlink;
}

int zamok_status(int file, zamok_file_status *status) {
    struct stat found;
    if (fstat(file, &found) < 0) return -errno;
    copy_status(&found, status);
    return 0;
}

int zamok_status_at(int folder, const char *path, zamok_file_status *status) {
    struct stat found;
    if (fstatat(folder, path, &found, AT_SYMLINK_NOFOLLOW) < 0) return -errno;
    copy_status(&found, status);
    return 0;
}

int zamok_sync(int file) {
    int result;
#if __APPLE__
    // There fsync only hands the data to the drive.
    do result = fcntl(file, F_FULLFSYNC);
#else
    do result = fsync(file);
#endif
    while (result < 0 && errno == EINTR);
    return answer(result);
}

int zamok_sync_data(int file) {
#if __APPLE__
    return zamok_sync(file);
#else
    int result;
    do result = fdatasync(file);
    while (result < 0 && errno == EINTR);
    return answer(result);
#endif
}

int zamok_rename(int from_folder, const char *from, int to_folder, const char *to) {
    return answer(renameat(from_folder, from, to_folder, to));
}

int zamok_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
#if __linux__ && defined(RENAME_NOREPLACE)
    return answer(renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE));
#elif __APPLE__
    return answer(renameatx_np(from_folder, from, to_folder, to, RENAME_EXCL));
#else
    return -ENOSYS;
#endif
}

int zamok_exchange(int folder, const char *path, int other_folder, const char *other) {
#if __linux__ && defined(RENAME_EXCHANGE)
    return answer(renameat2(folder, path, other_folder, other, RENAME_EXCHANGE));
#elif __APPLE__
    return answer(renameatx_np(folder, path, other_folder, other, RENAME_SWAP));
#else
    return -ENOSYS;
#endif
}

int zamok_link(int from_folder, const char *from, int to_folder, const char *to) {
    return answer(linkat(from_folder, from, to_folder, to, 0));
}

int64_t zamok_read_link(int folder, const char *path, char *text, size_t capacity) {
    ssize_t count = readlinkat(folder, path, text, capacity);
    if (count < 0) return -errno;
    return (size_t)count == capacity ? -ENAMETOOLONG : (int64_t)count;
}

int64_t zamok_path_of(int file, char *text, size_t capacity) {
#if __APPLE__
    if (capacity < 1024) return -ENAMETOOLONG;
    if (fcntl(file, F_GETPATH, text) < 0) return -errno;
    return (int64_t)strlen(text);
#else
    struct stat found;
    if (fstat(file, &found) < 0) return -errno;
    if (found.st_nlink == 0) return -ENOENT;
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    return zamok_read_link(AT_FDCWD, name, text, capacity);
#endif
}

int zamok_take_lease(int file, int alone) {
#if __linux__
    // Whoever breaks the lease makes the kernel signal its owner: by SIGIO, which would end the process, unless another signal is set. SIGURG is one
    // that is ignored where nobody asked for it; and then the owner is taken away, so that none is sent.
    if (fcntl(file, F_SETSIG, SIGURG) < 0 || fcntl(file, F_SETLEASE, alone ? F_WRLCK : F_RDLCK) < 0) return -errno;
    fcntl(file, F_SETOWN, 0);
    return 0;
#else
    return -ENOSYS;
#endif
}

int zamok_is_lease_whole(int file) {
#if __linux__
    int lease = fcntl(file, F_GETLEASE);
    return lease < 0 ? -errno : lease == F_RDLCK;
#else
    return -ENOSYS;
#endif
}

int zamok_end_lease(int file) {
#if __linux__
    return answer(fcntl(file, F_SETLEASE, F_UNLCK));
#else
    return -ENOSYS;
#endif
}

int64_t zamok_file_time(void) {
    struct timespec now;
#if defined(CLOCK_REALTIME_COARSE)
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
#else
    clock_gettime(CLOCK_REALTIME, &now);
#endif
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int zamok_unlink(int folder, const char *path) { return answer(unlinkat(folder, path, 0)); }
int zamok_make_folder(int folder, const char *path, uint32_t mode) { return answer(mkdirat(folder, path, (mode_t)mode)); }
int zamok_remove_folder(int folder, const char *path) { return answer(unlinkat(folder, path, AT_REMOVEDIR)); }

int zamok_lock_file(int file, int operation) {
    int result;
    do result = flock(file, operation);
    while (result < 0 && errno == EINTR);
    return answer(result);
}

int zamok_lock_byte(int file, int64_t byte, int alone) {
#if defined(F_OFD_SETLK)
    struct flock lock = {.l_type = alone ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    int result;
    do result = fcntl(file, F_OFD_SETLK, &lock);
    while (result < 0 && errno == EINTR);
    return result < 0 && errno == EACCES ? -EWOULDBLOCK : answer(result);
#else
    return zamok_lock_file(file, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB);
#endif
}

int zamok_file_system_type(int file, uint32_t *type) {
#if __linux__
    struct statfs found;
    if (fstatfs(file, &found) < 0) return -errno;
    *type = (uint32_t)found.f_type;
    return 0;
#else
    return -ENOSYS;
#endif
}

void *zamok_map_shared(int file, size_t count, int writable, int *failure) {
    void *bytes = mmap(NULL, count, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
    *failure = bytes == MAP_FAILED ? -errno : 0;
    return bytes == MAP_FAILED ? NULL : bytes;
}

int zamok_unmap(void *bytes, size_t count) { return answer(munmap(bytes, count)); }

#if __linux__
int zamok_memory_file(const char *name, int close_on_exec) {
    return answer(memfd_create(name, MFD_ALLOW_SEALING | (close_on_exec ? MFD_CLOEXEC : 0)));
}

static const int all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

int zamok_seal_memory_file(int file) { return answer(fcntl(file, F_ADD_SEALS, all_seals)); }

int zamok_is_sealed(int file) {
    int seals = fcntl(file, F_GET_SEALS);
    if (seals < 0) return -errno;
    return (seals & all_seals) == all_seals ? 0 : -EPERM;
}

static const int owner_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE;

int zamok_seal_memory_file_for_owner(int file) { return answer(fcntl(file, F_ADD_SEALS, owner_seals)); }

int zamok_is_sealed_for_owner(int file) {
    int seals = fcntl(file, F_GET_SEALS);
    if (seals < 0) return -errno;
    return (seals & owner_seals) == owner_seals || (seals & all_seals) == all_seals ? 0 : -EPERM;
}
#else
int zamok_memory_file(const char *name, int close_on_exec) { return -ENOSYS; }
int zamok_seal_memory_file_for_owner(int file) { return -ENOSYS; }
int zamok_is_sealed_for_owner(int file) { return -ENOSYS; }
int zamok_seal_memory_file(int file) { return -ENOSYS; }
int zamok_is_sealed(int file) { return -ENOSYS; }
#endif

int zamok_set_close_on_exec(int file, int close_on_exec) {
    return answer(fcntl(file, F_SETFD, close_on_exec ? FD_CLOEXEC : 0));
}
