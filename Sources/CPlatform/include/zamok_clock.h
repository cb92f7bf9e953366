// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_CLOCK_H
#define ZAMOK_CLOCK_H

#include <stdint.h>

/// Nanoseconds since the system started, sleep included; no change of the wall clock touches it. Negated errno if there
/// is no such clock.
int64_t zamok_boot_time(void);

/// Writes 16 bytes that are other ones after each start of the system.
int zamok_boot_id(uint8_t *identifier);

#endif
