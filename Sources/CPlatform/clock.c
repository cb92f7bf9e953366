// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPlatform.h"
#include <time.h>

int64_t zamok_boot_time(void) {
#if __linux__
    struct timespec now;
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -errno;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#else
    return -ENOSYS;
#endif
}

#if __linux__
static int digit(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    if (character >= 'a' && character <= 'f') return character - 'a' + 10;
    return -1;
}

int zamok_boot_id(uint8_t *identifier) {
    char text[64] = {0};
    int file = zamok_open(AT_FDCWD, "/proc/sys/kernel/random/boot_id", O_RDONLY, 0);
    if (file < 0) return file;
    int64_t count = zamok_read_at(file, text, sizeof text - 1, -1);
    zamok_close(file);
    if (count < 0) return (int)count;
    int digits = 0;
    for (int64_t i = 0; i < count && digits < 32; i++) {
        int value = digit(text[i]);
        if (value < 0) continue;
        identifier[digits / 2] = (uint8_t)(digits % 2 ? identifier[digits / 2] | value : value << 4);
        digits++;
    }
    return digits == 32 ? 0 : -EINVAL;
}
#else
int zamok_boot_id(uint8_t *identifier) { return -ENOSYS; }
#endif
