// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_CLOCK_H
#define ZAMOK_CLOCK_H

#include <stdint.h>

/// Nanoseconds since the system started, sleep included; no change of the wall clock touches it. Negated errno if there
/// is no such clock.
int64_t zamok_boot_time(void);

/// The same on the machine's own clock, which a time namespace doesn't touch. -ENOTSUP: that can't be told, since the process is in a time
/// namespace whose offsets it can't know, or the system's tables of processes are not there to ask.
int64_t zamok_machine_time(void);

/// Nanoseconds since 1970, for what the kernel counts by the wall clock.
int64_t zamok_wall_time(void);

/// Nanoseconds on a clock that only goes forward and costs nearly nothing to read; a few milliseconds coarse.
int64_t zamok_coarse_time(void);

/// Writes 16 bytes that are other ones after each start of the system.
int zamok_boot_id(uint8_t *identifier);

#endif
