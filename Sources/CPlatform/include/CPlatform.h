// SPDX-License-Identifier: Apache-2.0
//
// The one place where Zamok speaks to the C library and to the kernel in ways that Swift can't.

#ifndef ZAMOK_CPLATFORM_H
#define ZAMOK_CPLATFORM_H

#include <stddef.h>
#include <stdint.h>

/// Overwrites `count` bytes with zeros; never optimised away.
void zamok_wipe(void *bytes, size_t count);

/// 0 when equal; the time depends on `count` only.
int zamok_compare(const void *left, const void *right, size_t count);

#endif
