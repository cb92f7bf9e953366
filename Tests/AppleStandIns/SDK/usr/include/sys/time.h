// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
#include <time.h>
int gettimeofday(struct timeval *, void *);
int futimes(int, const struct timeval[2]);
int utimes(const char *, const struct timeval[2]);
