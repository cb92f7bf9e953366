// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
#define MAXPATHLEN 1024
#define PATH_MAX 1024
