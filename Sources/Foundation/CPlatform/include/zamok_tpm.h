// SPDX-License-Identifier: Apache-2.0
//
// The way to a tpm (TPM 2.0): one command goes there, one answer comes back. No call waits longer than it is told to.

#ifndef ZAMOK_CHIP_H
#define ZAMOK_CHIP_H

#include <stddef.h>
#include <stdint.h>

/// Opens a tpm's device. -ENOTTY: what has this name is no device.
int zamok_tpm_open(const char *path);
/// Connects to the socket of the Unix domain at `path`, waiting at most `nanoseconds`. -ENOTSOCK: what has this name is no socket.
int zamok_tpm_connect(const char *path, int64_t nanoseconds);
/// Sends a command and reads the answer, whose header says how long it is, within `nanoseconds`. Returns the number of bytes; -ETIMEDOUT; -EBADMSG:
/// the answer can't be as long as it says; -ECONNRESET: the other end is gone.
int64_t zamok_tpm_exchange(
    int tpm, const void *command, size_t count, void *answer, size_t capacity, int64_t nanoseconds);

#endif
