// SPDX-License-Identifier: Apache-2.0
//
// Files. `folder` is a descriptor that relative paths start from, or AT_FDCWD.

#ifndef ZAMOK_FILES_H
#define ZAMOK_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What the kernel knows of a file.
typedef struct {
    uint64_t device, inode;
    int64_t size;
    /// In nanoseconds since 1970; after 2262 they begin anew.
    int64_t modified_nanoseconds;
    /// The same, whole: seconds, and the rest in nanoseconds.
    int64_t modified_seconds, modified_rest;
    /// Of the last change of anything: content, mode, names.
    int64_t changed_nanoseconds;
    /// Of the last reading: seconds, and the rest in nanoseconds.
    int64_t accessed_seconds, accessed_rest;
    uint32_t mode, owner, group, links;
} zamok_file_status;

/// A descriptor, always close-on-exec. `mode` is subject to the umask; see zamok_set_mode.
int zamok_open(int folder, const char *path, int flags, uint32_t mode);
int zamok_close(int file);
/// Opens what lies at the relative `path` below the open folder: no part of it may be a symbolic link (-ELOOP) or lead out of the folder (-EXDEV).
/// By one call where the kernel can do that, else, or with `by_parts`, part by part.
int zamok_open_beneath(int folder, const char *path, int flags, int by_parts);
/// What opens a folder only to reach what lies in it, which needs no permission to read it.
int zamok_place_flags(void);
/// The folder above, which need not be readable: for its status, and for going further up.
int zamok_open_parent(int folder);
/// A new file in `folder`/`path` that has no name and goes with its descriptor, unless zamok_link_unnamed gives it one.
/// -EOPNOTSUPP, -EISDIR or -ENOENT where the file system has no such files.
int zamok_open_unnamed(int folder, const char *path, uint32_t mode);
int zamok_link_unnamed(int file, int folder, const char *path);
/// The file is about to be read from its beginning on: a hint.
void zamok_advise_sequential(int file);
/// Calls `found` with each name in the open folder, "." and ".." left out, in no order.
int zamok_list(int folder, void (*found)(void *context, const char *name), void *context);

/// Reads until `count` bytes are there or the file ends; at `offset`, or where the file stands if it is negative.
int64_t zamok_read_at(int file, void *bytes, size_t count, int64_t offset);
/// Reads by one call: fewer than `count` bytes also where the system had no more at hand.
int64_t zamok_read_some(int file, void *bytes, size_t count, int64_t offset);
/// Writes all of `count` bytes, or says why not.
int64_t zamok_write_at(int file, const void *bytes, size_t count, int64_t offset);

int zamok_truncate(int file, int64_t size);
/// Reserves the blocks, so that writing there later can't fail for want of space.
int zamok_allocate(int file, int64_t offset, int64_t size);
int zamok_set_mode(int file, uint32_t mode);
int zamok_set_owner(int file, uint32_t owner, uint32_t group);
/// The times of the last reading and of the last change of content.
int zamok_set_times(int file, int64_t read_seconds, int64_t read_rest, int64_t modified_seconds, int64_t modified_rest);
/// What opens a file without changing the time of the last reading; -EPERM where that is not this user's to say.
int zamok_flag_untimed(void);

/// Extended attributes. The names, each with a zero byte after it: how many bytes they take, where `count` is 0.
int64_t zamok_list_attributes(int file, char *names, size_t count);
int64_t zamok_get_attribute(int file, const char *name, void *value, size_t count);
int zamok_set_attribute(int file, const char *name, const void *value, size_t count);
int zamok_remove_attribute(int file, const char *name);
int zamok_status(int file, zamok_file_status *status);
/// The status of what `path` names; a symbolic link itself, not what it points to.
int zamok_status_at(int folder, const char *path, zamok_file_status *status);

/// Data and everything else of a file, or the entries of a folder, reach the disk before this returns.
int zamok_sync(int file);
/// The data of a file and what is needed to read it back.
int zamok_sync_data(int file);

int zamok_rename(int from_folder, const char *from, int to_folder, const char *to);
/// The same, but -EEXIST if `to` exists already.
int zamok_rename_new(int from_folder, const char *from, int to_folder, const char *to);
/// Exchanges what two names stand for, in one step. -EINVAL or -ENOSYS where the file system can't do that.
int zamok_exchange(int folder, const char *path, int other_folder, const char *other);
/// Another name for the file; -EEXIST if it is taken.
int zamok_link(int from_folder, const char *from, int to_folder, const char *to);
/// What the symbolic link holds; the number of bytes, or -ENAMETOOLONG.
int64_t zamok_read_link(int folder, const char *path, char *text, size_t capacity);
/// Where an open file lies now; the number of bytes. -ENOENT if it has no name any more.
int64_t zamok_path_of(int file, char *text, size_t capacity);
int zamok_unlink(int folder, const char *path);
int zamok_make_folder(int folder, const char *path, uint32_t mode);
int zamok_remove_folder(int folder, const char *path);

/// flock(2). `operation` is LOCK_SH, LOCK_EX or LOCK_UN, with LOCK_NB for -EWOULDBLOCK in place of waiting.
int zamok_lock_file(int file, int operation);
/// A lock on one byte of a file, which need not be there, for this descriptor and its copies: alone, or together with others; -EWOULDBLOCK if somebody else has it. It ends
/// when the descriptor is closed. Where the system has no such locks, that of the whole file.
int zamok_lock_byte(int file, int64_t byte, int alone);

/// A read lease on a file that was opened for reading: from now on who wants to open it for writing, or to cut it, waits. -EAGAIN if somebody has it
/// open for writing already; other errors where there are no leases, or the file is another user's. No signal that would end the process is sent.
/// With `alone` -EAGAIN also while anybody else has it open for reading.
int zamok_take_lease(int file, int alone);
/// 1 while nobody asked for the file since the lease was taken, 0 if somebody did and waits.
int zamok_is_lease_whole(int file);
int zamok_end_lease(int file);
/// The time that the kernel would write into a file that is changed now: nanoseconds since 1970.
int64_t zamok_file_time(void);

/// The number that the kernel has for the kind of file system that the file lies on: f_type of statfs(2).
int zamok_file_system_type(int file, uint32_t *type);

/// A page of `file` that is shared with every process that maps it; NULL and negated errno in `failure` if refused.
void *zamok_map_shared(int file, size_t count, int writable, int *failure);
int zamok_unmap(void *bytes, size_t count);

/// An anonymous file in memory; sealed, nobody can change it any more. It is inherited unless close-on-exec is asked for.
int zamok_memory_file(const char *name, int close_on_exec);
int zamok_seal_memory_file(int file);
/// 0 if `file` is a memory file that nobody can change any more, -EPERM if it isn't.
int zamok_is_sealed(int file);
/// The same, but who has the file mapped may still change it through that mapping: to wipe it.
int zamok_seal_memory_file_for_owner(int file);
/// 0 if nobody who gets `file` now can change it, -EPERM if somebody can.
int zamok_is_sealed_for_owner(int file);
int zamok_set_close_on_exec(int file, int close_on_exec);

#endif
