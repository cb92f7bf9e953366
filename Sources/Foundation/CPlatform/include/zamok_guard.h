// SPDX-License-Identifier: Apache-2.0
//
// What `zamok guard` needs of the kernel: its socket, its boundary, its program. -ENOSYS away from Linux.

#ifndef ZAMOK_GUARD_H
#define ZAMOK_GUARD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/// Whether `path` is a socket, not a symbolic link to one.
int zamok_guard_is_socket(const char *path);
/// A connection to the socket at `path`: a descriptor, close-on-exec.
int zamok_guard_connect(const char *path);
/// Sends all of it; a closed peer is -EPIPE and no signal.
int zamok_guard_send(int socket, const void *bytes, size_t count);
/// Sends some of `count` bytes, from an offset on, and returns how many. -ETIMEDOUT: none, after a wait of at most
/// `milliseconds` for room.
int64_t zamok_guard_send_part(int socket, const void *bytes, size_t from, size_t count, int milliseconds);
/// Receives exactly `count` bytes. Waits at most `milliseconds` for all of them, without limit if negative: -ETIMEDOUT.
/// The peer's end is -EPIPE.
int zamok_guard_receive(int socket, void *bytes, size_t count, int milliseconds);
/// 1 if the peer has closed the connection, or sent what was not asked for.
int zamok_guard_is_over(int socket);

/// 1 if there is a socket at the path on which no process listens. Never waits.
int zamok_guard_is_dead(const char *path);

/// A listening socket of mode 0600, close-on-exec. Its name appears when it listens.
int zamok_guard_listen(const char *path);
/// The next connection, and its peer's process and user.
int zamok_guard_accept(int listener, int32_t *process, uint32_t *user);
/// The inode of the PID namespace of the process at the other end of a connection; 0: it can't be told, or the process
/// that connected has ended.
uint64_t zamok_guard_namespace_of_peer(int socket, int process);
/// Ends the connection for both sides; the descriptor stays open.
int zamok_guard_end(int socket);

/// The number of descriptors that this process may have.
int zamok_guard_file_limit(void);
/// Two connected sockets, close-on-exec.
int zamok_guard_pair(int ends[2]);
/// A socket that listens on a port of 127.0.0.1, close-on-exec.
int zamok_guard_listen_loopback(int port);
/// Sends 1 to 64 descriptors, with one byte.
int zamok_guard_send_files(int socket, const int files[], int count);

/// Closes every descriptor from `first` on, now or at the next exec.
int zamok_guard_close_from(int first, int now);
/// Starts a program, named by its path, with an empty environment and in a process group of its own; its process, or a
/// negated errno. The calling thread has to live as long as the program.
int zamok_guard_start(char *const words[], const int from[], const int to[], int count);
/// Starts a process that waits at `life`: for a byte, or for its end without one, which means that the caller was
/// killed. Then it ends every process that has a descriptor of the pipe. Its number, or a negated errno.
int zamok_guard_watch_start(int life, int pipe);
/// Ends every process but the caller that has a descriptor of the pipe.
void zamok_guard_end_holders(int pipe);
/// From here on signals are for this process group of the guest, and stops for all processes of its PID namespace.
void zamok_guard_set_guest(int group, uint64_t namespace);
/// Stops this process until the terminal of its standard descriptors, if there is one, is its own.
void zamok_guard_wait_for_front(void);
/// From here on processes whose parent has ended are children of this one.
void zamok_guard_adopt(void);
/// Waits up to `milliseconds` for the end of a child, and takes its status; for another process that one sees, for its
/// end.
void zamok_guard_wait_for_end(int process, int milliseconds);
/// Passes signals on to the guest's group, and waits for the program; its status as zamok_run reports it.
int zamok_guard_wait(int program);

/// A file or folder, opened without rights (O_PATH) and without following a symbolic link on the way to it. `folder`:
/// where the path begins; negative: at the root. A symbolic link at the end is opened itself.
int zamok_guard_place(int folder, const char *path);
/// The root folder of a process, likewise.
int zamok_guard_root(int process);
/// 1: it can't be written to, by its mount; 2: it is a mount of its own, or the kernel is too old to tell.
int zamok_guard_mount_state(int place);
/// A descriptor of this very process; a negated errno, before Linux 5.3 for example.
int zamok_guard_hold(int process);
/// Ends it with SIGKILL: by the descriptor, or by its number if that is negative.
void zamok_guard_end_held(int handle, int process);
/// Waits until the mounts of an open /proc/PID/mountinfo have changed since it was opened or last waited for.
int zamok_guard_wait_for_mounts(int table);

/// Looks through what is below a folder, `levels` deep and at most `most` entries, for what other users may not read,
/// and folders that they can't enter; with `folders` for these alone. Symbolic links are not followed. The paths, each
/// with a 0 behind it, of `size` bytes, to be freed; NULL: there is none.
char *zamok_guard_private(const char *folder, int levels, int folders, int most, size_t *size);
/// Makes a copy of a file, with its mode without what only its owner may change. -ESTALE: it is not, or not any more,
/// the file that has this status. The name `to` must be new.
int zamok_guard_copy(const char *from, const char *to, const struct stat *expected);

/// Becomes the program, found along PATH. Returns only the negated errno of a failure.
int zamok_guard_become(char *const words[]);

/// The version of Landlock that the kernel has; negated errno: none.
int zamok_guard_landlock(void);
/// Permits this thread and what it starts to write below the `count` paths alone, and to signal and to reach abstract
/// sockets of their own kind alone.
int zamok_guard_confine(char *const writable[], int count);
/// Whether the kernel takes filters of system calls.
int zamok_guard_has_filter(void);

#endif
