// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
int inet_pton(int, const char *, void *);
const char *inet_ntop(int, const void *, char *, socklen_t);
