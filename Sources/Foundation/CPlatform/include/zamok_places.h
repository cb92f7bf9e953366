// SPDX-License-Identifier: Apache-2.0
//
// Where the system says things are. Texts: the number of bytes, without a zero byte, or the negated errno.

#ifndef ZAMOK_PLACES_H
#define ZAMOK_PLACES_H

#include <stddef.h>
#include <stdint.h>

/// The file that this program runs from, links resolved.
int64_t zamok_executable_path(char *text, size_t capacity);
/// The home folder of this user in the system's list of users.
int64_t zamok_account_folder(char *text, size_t capacity);
/// 1 if `group` is this user's own one, as most systems make it: the user's first group, of the same name, with nobody else in it.
int zamok_is_private_group(uint32_t group);

#endif
