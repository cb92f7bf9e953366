// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_PROCESS_H
#define ZAMOK_PROCESS_H

#include <stdint.h>

/// No core file and no debugger of the same user from here on: a core limit of 0 and the non-dumpable mark. For a program
/// that is all ours; a library does so only when its app asks.
int zamok_refuse_dumps(void);
/// 1 if this process may be dumped, 0 if not.
int zamok_is_dumpable(void);

/// This process and this user.
int32_t zamok_process(void);
uint32_t zamok_user(void);

/// fork(2), for tests: 0 in the child.
int32_t zamok_fork(void);
/// Waits for the child `process`; answers its exit status, or 128 + the signal that ended it.
int zamok_wait(int32_t process);
/// Ends this process at once, without any clearing up.
_Noreturn void zamok_exit_now(int status);

#endif
