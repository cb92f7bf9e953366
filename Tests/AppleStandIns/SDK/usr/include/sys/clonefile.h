// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
int clonefile(const char *, const char *, uint32_t) API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0));
int fclonefileat(int, int, const char *, uint32_t) API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0));
