// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_MEMORY_H
#define ZAMOK_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// Overwrites `count` bytes with zeros; never optimised away.
void zamok_wipe(void *bytes, size_t count);

/// 0 when equal; the time depends on `count` only.
int zamok_compare(const void *left, const void *right, size_t count);

#endif
