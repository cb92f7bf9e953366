// SPDX-License-Identifier: Apache-2.0
//
// Processes and terminals for the tests of the command.

#ifndef ZAMOK_STAGE_H
#define ZAMOK_STAGE_H

#include <stddef.h>

/// A new terminal of 80 columns: the descriptor of its other side, and the path that a process opens it by.
int stage_open_terminal(char *path, size_t capacity);

/// Two ends of a pipe, neither of them inherited.
int stage_open_pipe(int ends[2]);

/// Starts `/bin/sh -c line` as leader of a session of its own. With `terminal` that is its terminal and all three standard
/// descriptors; without, it has no terminal, reads nothing, and writes both outputs to `output`. The process id, or -1.
int stage_start(
    const char *line, const char *folder, const char *const environment[], const char *terminal, int output);

/// Whether a process has ended; it stays to be waited for.
int stage_has_ended(int process);

/// Waits for a process: its exit status, or 128 + the signal that ended it.
int stage_wait(int process);

#endif
