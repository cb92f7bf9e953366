// SPDX-License-Identifier: Apache-2.0
//
// What `zamok guard` needs of the kernel: its socket, its boundary, its program. -ENOSYS away from Linux.

#ifndef ZAMOK_GUARD_H
#define ZAMOK_GUARD_H

#include <stddef.h>
#include <stdint.h>

/// Whether `path` is a socket, not a symbolic link to one.
int zamok_guard_is_socket(const char *path);
/// A connection to the socket at `path`: a descriptor, close-on-exec.
int zamok_guard_connect(const char *path);
/// Sends all of it; a closed peer is -EPIPE and no signal.
int zamok_guard_send(int socket, const void *bytes, size_t count);
/// Receives exactly `count` bytes. Waits at most `milliseconds` for each part, without limit if negative: -ETIMEDOUT.
/// The peer's end is -EPIPE.
int zamok_guard_receive(int socket, void *bytes, size_t count, int milliseconds);
/// 1 if the peer has closed the connection, or sent what was not asked for.
int zamok_guard_is_over(int socket);

/// A listening socket of mode 0600, close-on-exec.
int zamok_guard_listen(const char *path);
/// The next connection, and its peer's process and user.
int zamok_guard_accept(int listener, int32_t *process, uint32_t *user);
/// Limits the time of a write to the socket.
int zamok_guard_limit(int socket, int seconds);
/// Ends the connection for both sides; the descriptor stays open.
int zamok_guard_end(int socket);

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
/// From here on signals are for this process group of the guest.
void zamok_guard_set_group(int group);
/// Passes signals on to the guest's group, and waits for the program; its status as zamok_run reports it.
int zamok_guard_wait(int program);

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
