// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
int proc_pidpath(int, void *, uint32_t) API_UNAVAILABLE(ios, tvos, watchos, visionos);
