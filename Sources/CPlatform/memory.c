// SPDX-License-Identifier: Apache-2.0

#include "CPlatform.h"

void zamok_wipe(void *bytes, size_t count) {
    if (count == 0) return;
    memset(bytes, 0, count);
    // The compiler has to believe that this reads the zeros, so it can't leave them out.
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

int zamok_compare(const void *left, const void *right, size_t count) {
    const volatile unsigned char *l = left, *r = right;
    unsigned char difference = 0;
    for (size_t i = 0; i < count; i++) difference |= l[i] ^ r[i];
    return difference;
}
