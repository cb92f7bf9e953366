// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
#define CTL_KERN 1
#define KERN_BOOTTIME 21
int sysctl(int *, u_int, void *, size_t *, void *, size_t);
int sysctlbyname(const char *, void *, size_t *, void *, size_t);
