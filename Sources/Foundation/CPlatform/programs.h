// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_PROGRAMS_H
#define ZAMOK_PROGRAMS_H

#if __APPLE__
#include <TargetConditionals.h>
#endif

/// Whether a process may start a program. tvOS and watchOS forbid it: spawn.h of their SDKs marks all of it unavailable.
#if TARGET_OS_TV || TARGET_OS_WATCH
#define ZAMOK_STARTS_PROGRAMS 0
#else
#define ZAMOK_STARTS_PROGRAMS 1
#endif

#endif
