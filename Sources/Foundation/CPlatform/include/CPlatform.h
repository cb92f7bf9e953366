// SPDX-License-Identifier: Apache-2.0
//
// The one place where Zamok speaks to the C library and to the kernel in ways that Swift can't.
//
// Every call that can fail returns the negated errno (so -ENOENT), never sets errno as its only answer, and returns
// -ENOSYS where the system lacks what it does. Calls that a signal interrupts are begun again, unless said otherwise.
// A Swift file that needs a constant of the C library (ENOENT, O_CREAT, LOCK_EX) imports CPlatform and nothing else:
// the ladder of C libraries stands here once.

#ifndef ZAMOK_CPLATFORM_H
#define ZAMOK_CPLATFORM_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "zamok_tpm.h"
#include "zamok_clock.h"
#include "zamok_files.h"
#include "zamok_guard.h"
#include "zamok_keyring.h"
#include "zamok_memory.h"
#include "zamok_places.h"
#include "zamok_private_terminal.h"
#include "zamok_process.h"
#include "zamok_run.h"
#include "zamok_shared.h"
#include "zamok_terminal.h"
#include "zamok_threads.h"

#endif
