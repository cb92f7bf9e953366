// SPDX-License-Identifier: Apache-2.0
//
// A library to be loaded before all others (LD_PRELOAD) into a program under test, on Linux with glibc. It stands between
// the program and the calls that change files, and does what these variables ask for. Nothing happens without the first.
//
//   ZAMOK_FAULTS_PREFIX   absolute path without symbolic links; only files and folders at or below it count
//   ZAMOK_FAULTS_PROGRAM  only in programs of that file name; others that inherit the variables run undisturbed
//   ZAMOK_FAULTS_LOG      file to append a record to after each such call that succeeded (layout: struct record below)
//   ZAMOK_FAULTS_KILL     before:N or after:N: end the process by SIGKILL at the N-th such call, counted from 1, in each process
//   ZAMOK_FAULTS_STOPS    1: the program stops (SIGSTOP) when it is done and about to end, so that its memory can be looked at
//   ZAMOK_FAULTS_SENDS    1: what is sent over sockets counts too, whoever it goes to
//   ZAMOK_FAULTS_FAIL     N:ERROR or N+:ERROR: the N-th call, or it and all later ones, fail. ERROR is ENOSPC (calls that
//                         need space), EIO (all, fsync too) or SHORT (a write takes only half of its bytes)
//
// Counted: open with O_CREAT or O_TRUNC, write, pwrite, writev, pwritev, ftruncate, truncate, fallocate, fsync, fdatasync,
// rename, link, unlink, mkdir, rmdir, with their 64-bit and "at" forms; send, where that is wished. Not seen: what is written through mapped
// pages, and what the C library does for itself (fopen, mkstemp; but later writes to such a descriptor are seen).

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, ALLOCATE, SYNC, SYNC_DATA, RENAME, LINK, UNLINK, MAKE_FOLDER, REMOVE_FOLDER, EXCHANGE, SEND };

// What precedes the two paths (the second is empty but for RENAME, EXCHANGE and LINK) and the data in the log. Little-endian.
struct record {
    uint32_t size;  // of all, this struct included
    uint32_t kind;
    uint64_t call;  // its number in its process
    int32_t process;
    uint32_t mode;
    uint64_t device, inode;  // of the file that was changed; RENAME and LINK: of what now has the second path
    int64_t offset;          // WRITE, ALLOCATE: where; TRUNCATE: the new size
    uint64_t count;          // WRITE: bytes of data behind the paths; ALLOCATE: how many
    uint32_t path_size, other_size;
};

static char prefix[PATH_MAX];
static size_t prefix_size;
static int log_file = -1;
static uint64_t kill_before, kill_after, fail_from, fail_to, calls;
static int fail_error, counts_sends, stops;
enum { SHORT = -1 };

static void end_here(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int is_this_program(const char *wanted) {
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, wanted) == 0;
}

__attribute__((constructor)) static void read_wishes(void) {
    const char *program = getenv("ZAMOK_FAULTS_PROGRAM"), *text = getenv("ZAMOK_FAULTS_PREFIX");
    if (!text || (program && *program && !is_this_program(program))) return;
    const char *log = getenv("ZAMOK_FAULTS_LOG"), *end = getenv("ZAMOK_FAULTS_KILL"), *fail = getenv("ZAMOK_FAULTS_FAIL");
    if (log && *log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (end && strncmp(end, "before:", 7) == 0) kill_before = strtoull(end + 7, NULL, 10);
    if (end && strncmp(end, "after:", 6) == 0) kill_after = strtoull(end + 6, NULL, 10);
    if (fail && *fail) {
        char *rest;
        fail_from = fail_to = strtoull(fail, &rest, 10);
        if (*rest == '+') fail_to = UINT64_MAX, rest++;
        fail_error = strcmp(rest, ":ENOSPC") == 0 ? ENOSPC : strcmp(rest, ":EIO") == 0 ? EIO : SHORT;
    }
    const char *sends = getenv("ZAMOK_FAULTS_SENDS");
    counts_sends = sends && strcmp(sends, "1") == 0;
    const char *wish = getenv("ZAMOK_FAULTS_STOPS");
    stops = wish && strcmp(wish, "1") == 0;
    snprintf(prefix, sizeof prefix, "%s", text);
    prefix_size = strlen(prefix);
}

__attribute__((destructor)) static void stop_here(void) {
    if (stops) kill(getpid(), SIGSTOP);
}

static int is_ours(const char *path) {
    return prefix_size && strncmp(path, prefix, prefix_size) == 0 && (path[prefix_size] == '/' || path[prefix_size] == 0);
}

static int path_of_file(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return 1;
}

// The absolute path, with the folder's symbolic links resolved and the last part as it is.
static int absolute_path(int folder, const char *path, char *whole) {
    char start[2 * PATH_MAX + 2], parent[PATH_MAX];
    if (path[0] == '/') {
        snprintf(start, sizeof start, "%s", path);
    } else {
        if (folder == AT_FDCWD ? !getcwd(parent, sizeof parent) : !path_of_file(folder, parent)) return 0;
        snprintf(start, sizeof start, "%s/%s", parent, path);
    }
    char *slash = strrchr(start, '/');
    const char *name = slash + 1;
    if (slash == start) {
        snprintf(whole, PATH_MAX, "%s", start);
        return 1;
    }
    *slash = 0;
    if (!realpath(start, parent)) return 0;
    snprintf(whole, PATH_MAX, "%s/%s", parent, name);
    return 1;
}

// One call on one of our paths; number 0 is a call that doesn't concern us.
struct call {
    enum kind kind;
    uint64_t number;
    char path[PATH_MAX], other[PATH_MAX];
    int error;
};

static int needs_space(enum kind kind) {
    return kind != SYNC && kind != SYNC_DATA && kind != UNLINK && kind != REMOVE_FOLDER && kind != SEND;
}

// Counts the call; ends the process or sets the error if that is wished.
static void begin(struct call *call, enum kind kind) {
    call->kind = kind;
    call->error = 0;
    call->number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (kill_before && call->number == kill_before) end_here();
    if (!fail_from || call->number < fail_from || call->number > fail_to) return;
    if (fail_error == EIO || (fail_error == ENOSPC && needs_space(kind)) || (fail_error == SHORT && kind == WRITE))
        call->error = fail_error;
}

static void begin_at(struct call *call, enum kind kind, int folder, const char *path) {
    int saved = errno;
    call->number = 0;
    call->error = 0;
    call->other[0] = 0;
    if (prefix_size && path && absolute_path(folder, path, call->path) && is_ours(call->path)) begin(call, kind);
    errno = saved;
}

static void begin_file(struct call *call, enum kind kind, int file) {
    int saved = errno;
    call->number = 0;
    call->error = 0;
    call->other[0] = 0;
    if (prefix_size && path_of_file(file, call->path) && is_ours(call->path)) begin(call, kind);
    errno = saved;
}

static void begin_two(struct call *call, enum kind kind, int from_folder, const char *from, int folder, const char *to) {
    int saved = errno;
    call->number = 0;
    call->error = 0;
    // A link may come from /proc/self/fd, so it is the new name that counts.
    if (prefix_size && from && to && absolute_path(folder, to, call->other) && is_ours(call->other)) {
        if (!absolute_path(from_folder, from, call->path)) call->path[0] = 0;
        begin(call, kind);
    }
    errno = saved;
}

static int failed(struct call *call) {
    if (!call->number || call->error <= 0) return 0;
    errno = call->error;
    return 1;
}

static void done(struct call *call, const struct stat *status, int64_t offset, const struct iovec *data, int parts, uint64_t count) {
    if (!call->number) return;
    int saved = errno;
    if (log_file >= 0) {
        struct record record = {
            .kind = call->kind, .call = call->number, .process = getpid(), .mode = status ? status->st_mode : 0,
            .device = status ? status->st_dev : 0, .inode = status ? status->st_ino : 0, .offset = offset, .count = count,
            .path_size = (uint32_t)strlen(call->path), .other_size = (uint32_t)strlen(call->other),
        };
        size_t data_size = call->kind == WRITE ? count : 0;
        record.size = (uint32_t)(sizeof record + record.path_size + record.other_size + data_size);
        char *whole = malloc(record.size), *next = whole;
        if (!whole) end_here();
        next = mempcpy(next, &record, sizeof record);
        next = mempcpy(next, call->path, record.path_size);
        next = mempcpy(next, call->other, record.other_size);
        for (int i = 0; i < parts && data_size; i++) {
            size_t part = data[i].iov_len < data_size ? data[i].iov_len : data_size;
            next = mempcpy(next, data[i].iov_base, part);
            data_size -= part;
        }
        // One append, so that records of several processes never mix.
        if (syscall(SYS_write, log_file, whole, record.size) != (long)record.size) end_here();
        free(whole);
    }
    if (kill_after && call->number == kill_after) end_here();
    errno = saved;
}

static void done_file(struct call *call, int file, int64_t offset, uint64_t count) {
    struct stat status;
    if (call->number) done(call, fstat(file, &status) == 0 ? &status : NULL, offset, NULL, 0, count);
}

static void done_path(struct call *call, const char *path) {
    struct stat status;
    if (call->number) done(call, lstat(path, &status) == 0 ? &status : NULL, 0, NULL, 0, 0);
}

// Opening

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    struct call call;
    struct stat before;
    call.number = 0;
    int changes = flags & (O_CREAT | O_TRUNC) && (flags & O_TMPFILE) != O_TMPFILE;
    int existed = changes && fstatat(folder, path, &before, 0) == 0;
    if (changes && (!existed || flags & O_TRUNC)) begin_at(&call, existed ? TRUNCATE : CREATE, folder, path);
    if (failed(&call)) return -1;
    int file = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (file >= 0) done_file(&call, file, 0, 0);
    return file;
}

static int takes_mode(int flags) { return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE; }

#define OPEN(name)                                                  \
    int name(const char *path, int flags, ...) {                    \
        va_list rest;                                               \
        va_start(rest, flags);                                      \
        mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                               \
        return open_at(AT_FDCWD, path, flags, mode);                \
    }
#define OPENAT(name)                                                \
    int name(int folder, const char *path, int flags, ...) {        \
        va_list rest;                                               \
        va_start(rest, flags);                                      \
        mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                               \
        return open_at(folder, path, flags, mode);                  \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
// What a fortified build calls in place of them.
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }
int __openat64_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

// Writing; a negative offset is where the file stands.

static ssize_t write_parts(int file, const struct iovec *parts, int count, int64_t offset) {
    struct call call;
    begin_file(&call, WRITE, file);
    if (failed(&call)) return -1;
    struct iovec half;
    if (call.number && call.error == SHORT && count > 0 && parts[0].iov_len > 1) {
        half = (struct iovec){parts[0].iov_base, parts[0].iov_len / 2};
        parts = &half;
        count = 1;
    }
    ssize_t written = offset < 0 ? syscall(SYS_writev, file, parts, count)
                                 : syscall(SYS_pwritev, file, parts, count, (long)offset, 0L);
    if (written >= 0 && call.number) {
        struct stat status;
        int known = fstat(file, &status) == 0;
        int64_t at = offset < 0 ? lseek(file, 0, SEEK_CUR) - written : offset;
        done(&call, known ? &status : NULL, at, parts, count, (uint64_t)written);
    }
    return written;
}

ssize_t write(int file, const void *bytes, size_t count) {
    return write_parts(file, &(struct iovec){(void *)bytes, count}, 1, -1);
}
ssize_t writev(int file, const struct iovec *parts, int count) { return write_parts(file, parts, count, -1); }

#define PWRITE(name, offset_type)                                                            \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) {            \
        return write_parts(file, &(struct iovec){(void *)bytes, count}, 1, (int64_t)offset); \
    }
#define PWRITEV(name, offset_type)                                                      \
    ssize_t name(int file, const struct iovec *parts, int count, offset_type offset) {  \
        return write_parts(file, parts, count, (int64_t)offset);                        \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

// Sizes

static int truncate_file(int file, int64_t size) {
    struct call call;
    begin_file(&call, TRUNCATE, file);
    if (failed(&call)) return -1;
    int result = (int)syscall(SYS_ftruncate, file, (long)size);
    if (result == 0) done_file(&call, file, size, 0);
    return result;
}
int ftruncate(int file, off_t size) { return truncate_file(file, size); }
int ftruncate64(int file, off64_t size) { return truncate_file(file, size); }

static int truncate_path(const char *path, int64_t size) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    if (file < 0) return -1;
    int result = truncate_file(file, size), saved = errno;
    syscall(SYS_close, file);
    errno = saved;
    return result;
}
int truncate(const char *path, off_t size) { return truncate_path(path, size); }
int truncate64(const char *path, off64_t size) { return truncate_path(path, size); }

static int allocate(int file, int mode, int64_t offset, int64_t count) {
    struct call call;
    begin_file(&call, ALLOCATE, file);
    if (failed(&call)) return -1;
    int result = (int)syscall(SYS_fallocate, file, mode, (long)offset, (long)count);
    if (result == 0 && mode == 0) done_file(&call, file, offset, (uint64_t)count);
    return result;
}
int fallocate(int file, int mode, off_t offset, off_t count) { return allocate(file, mode, offset, count); }
int fallocate64(int file, int mode, off64_t offset, off64_t count) { return allocate(file, mode, offset, count); }
int posix_fallocate(int file, off_t offset, off_t count) { return allocate(file, 0, offset, count) < 0 ? errno : 0; }
int posix_fallocate64(int file, off64_t offset, off64_t count) { return allocate(file, 0, offset, count) < 0 ? errno : 0; }

// Reaching the disk

static int sync_file(int file, enum kind kind, long number) {
    struct call call;
    begin_file(&call, kind, file);
    if (failed(&call)) return -1;
    int result = (int)syscall(number, file);
    if (result == 0) done_file(&call, file, 0, 0);
    return result;
}
int fsync(int file) { return sync_file(file, SYNC, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYNC_DATA, SYS_fdatasync); }

// Speaking with another process: killed after it, this one doesn't hear the answer.

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
    struct call call;
    call.number = 0;
    call.error = 0;
    call.path[0] = call.other[0] = 0;
    if (prefix_size && counts_sends) begin(&call, SEND);
    if (failed(&call)) return -1;
    ssize_t sent = syscall(SYS_sendto, socket, bytes, count, flags, NULL, 0L);
    if (sent >= 0) done(&call, NULL, 0, NULL, 0, 0);
    return sent;
}

// Names

static int rename_at(int from_folder, const char *from, int folder, const char *to, unsigned flags) {
    struct call call;
    begin_two(&call, flags & RENAME_EXCHANGE ? EXCHANGE : RENAME, from_folder, from, folder, to);
    if (failed(&call)) return -1;
    int result = (int)syscall(SYS_renameat2, from_folder, from, folder, to, flags);
    if (result == 0) done_path(&call, call.other);
    return result;
}
int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_folder, const char *from, int folder, const char *to) {
    return rename_at(from_folder, from, folder, to, 0);
}
int renameat2(int from_folder, const char *from, int folder, const char *to, unsigned flags) {
    return rename_at(from_folder, from, folder, to, flags);
}

int linkat(int from_folder, const char *from, int folder, const char *to, int flags) {
    struct call call;
    begin_two(&call, LINK, from_folder, from, folder, to);
    if (failed(&call)) return -1;
    int result = (int)syscall(SYS_linkat, from_folder, from, folder, to, flags);
    if (result == 0) done_path(&call, call.other);
    return result;
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int folder, const char *path, int flags) {
    struct call call;
    begin_at(&call, flags & AT_REMOVEDIR ? REMOVE_FOLDER : UNLINK, folder, path);
    if (failed(&call)) return -1;
    int result = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (result == 0) done(&call, NULL, 0, NULL, 0, 0);
    return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int folder, const char *path, mode_t mode) {
    struct call call;
    begin_at(&call, MAKE_FOLDER, folder, path);
    if (failed(&call)) return -1;
    int result = (int)syscall(SYS_mkdirat, folder, path, mode);
    if (result == 0) done_path(&call, call.path);
    return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
