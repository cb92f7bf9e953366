// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_PROCESS_H
#define ZAMOK_PROCESS_H

#include <stdint.h>

/// No core file and no debugger of the same user from here on: a core limit of 0 and the non-dumpable mark. For a program
/// that is all ours; a library does so only when its app asks.
int zamok_refuse_dumps(void);
/// 1 if this process may be dumped, 0 if not.
int zamok_is_dumpable(void);

/// The words that this process was started with, as the system handed them over; null and 0 where it can't be told without asking the tables of processes.
char **zamok_arguments(int *count);

/// This process and this user.
int32_t zamok_process(void);
uint32_t zamok_user(void);

#endif
