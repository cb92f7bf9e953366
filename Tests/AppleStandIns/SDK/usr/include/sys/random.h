// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
int getentropy(void *, size_t) API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0));
