// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <string.h>

void zamok_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }

int zamok_compare(const void *left, const void *right, size_t count) {
    const volatile unsigned char *l = left, *r = right;
    unsigned char difference = 0;
    for (size_t i = 0; i < count; i++) difference |= l[i] ^ r[i];
    return difference;
}
