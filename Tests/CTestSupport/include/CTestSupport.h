// SPDX-License-Identifier: Apache-2.0
//
// What tests need of the system and Swift can't say: fork, limits, terminals, refused system calls. Every call answers a
// negated errno if it fails.

#ifndef ZAMOK_CTESTSUPPORT_H
#define ZAMOK_CTESTSUPPORT_H

#include <stddef.h>
#include <stdint.h>

/// fork(2): 0 in the child.
int32_t tools_fork(void);
/// Waits for a child; answers its exit status, 128 + the signal that ended it, or 256 + the signal that stopped it.
int tools_wait(int32_t process, int also_stopped);
/// Starts a program with pipes for standard input and output, and with all signals unblocked and as they are by default:
/// tests run on threads that block most of them. `arguments` (from the program's own name on) and `environment` are texts
/// with a zero byte behind each. Answers its process id.
int32_t tools_start(
    const char *path, const char *arguments, size_t arguments_size, const char *environment, size_t environment_size,
    int *input, int *output);
/// Starts `/bin/sh -c line` as leader of a session of its own. With `terminal` that is its terminal and all three standard
/// descriptors; without, it has no terminal, reads nothing, and writes both outputs to `output`. Its process id.
int tools_start_shell(
    const char *line, const char *folder, const char *const environment[], const char *terminal, int output);
/// Whether a process has ended; it stays to be waited for.
int tools_has_ended(int process);
/// Two ends of a pipe, neither of them inherited.
int tools_open_pipe(int ends[2]);
/// Ends this process at once, without clearing up.
_Noreturn void tools_exit(int status);

/// Sets the limit for locked memory and, for a process of root's, gives up root, whom limits don't bind.
int tools_limit_locked_memory(uint64_t bytes);

/// From here on the system call `number` fails with `error`; only if its argument at `index` is `value`, unless `index` is
/// negative. For this process and those that it starts.
int tools_refuse(long number, int index, uint32_t value, int error);
/// Numbers of system calls by name, or -1.
long tools_system_call(const char *name);

/// A pseudo terminal of that size, where 0 is a size that is not known: the descriptor of its outer end, and the path of the other.
int tools_open_terminal(char *path, size_t capacity, int columns, int rows);
/// Makes the terminal at `path` that of this process, which must lead a session; answers its descriptor.
int tools_take_terminal(const char *path);
/// 1 if the terminal shows what is typed.
int tools_terminal_echoes(int terminal);
/// Bytes that were typed at the terminal at `path` and can be read.
int tools_terminal_waiting(const char *path);
/// Bytes that were typed and not read, ended by a return key or not, which this reads; the terminal's settings are as before.
int tools_terminal_left(int terminal);
/// Makes `group` the one that reads from the terminal.
int tools_set_foreground(int terminal, int32_t group);
int tools_set_group(int32_t process, int32_t group);

/// Replaces this process by that program with two arguments, and SIGTTOU and SIGTTIN as they are by default.
int tools_execute(const char *path, const char *first, const char *second);

/// Leaves `bytes` on the stack, `depth` bytes below the caller's frame, and returns.
void tools_leave_on_stack(const void *bytes, size_t count, size_t depth);
/// Leaves `bytes` in a freed block of `size` bytes.
void tools_leave_in_freed_block(const void *bytes, size_t count, size_t size);

/// Gives freed memory back to the system.
void tools_return_freed(void);

/// Where `needle` begins in `bytes`, at `from` or later; -1: nowhere.
ptrdiff_t tools_find(const void *bytes, size_t count, ptrdiff_t from, const void *needle, size_t needle_count);

#endif
