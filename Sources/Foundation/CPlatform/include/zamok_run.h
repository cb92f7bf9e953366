// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_RUN_H
#define ZAMOK_RUN_H

/// Starts a program, found along PATH, with this process's environment and descriptors; passes signals on to it, and waits. Its exit
/// status, 128 + the signal that ended it, or a negated errno if it can't be started. As process 1 it takes every other
/// child that ends meanwhile, too. `words` ends with NULL. The program gets each of the `count` descriptors `from` under the number `to`, none of
/// which is among `from`; they are closed here once it was started, or can't be. One at a time.
int zamok_run(const char *const words[], const int from[], const int to[], int count);
/// Starts the program at `path` in a group of its own, with nothing open but these three as its standard input, output and error; its process, or a
/// negated errno. `words` and `environment` end with NULL.
int zamok_start(const char *path, char *const words[], char *const environment[], int input, int output, int error);
/// Waits until a process that zamok_start started has ended, and leaves it to zamok_end, so that its number is no other's before.
void zamok_await(int process);
/// Waits for the end of a process that zamok_start started: its exit status, or 128 + the signal that ended it; `*signal` is that signal or 0. A
/// negated errno if it can't be waited for.
int zamok_end(int process, int *signal);
/// A pipe whose two ends are close-on-exec, and of numbers from 64 on; 0 or a negated errno.
int zamok_pipe(int ends[2]);
/// What comes next at `source`: how many bytes, 0 at its end, or a negated errno. Once the other end of the pipe `*over` was closed, -ETIMEDOUT where
/// nothing comes for half a second; `*over` is -1 from then on.
ssize_t zamok_take(int source, int *over, void *bytes, size_t count);
/// Writes all of it, however slow the reader is, also to a descriptor that another program made non-blocking; 0 or a negated errno.
int zamok_put(int target, const void *bytes, size_t count);

#endif
