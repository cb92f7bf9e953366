// SPDX-License-Identifier: Apache-2.0
//
// ICU's table of data with nothing in it, in the form of its header (ICU, unicode/udata.h): the linker is told to take it (--wrap) in place of the
// 34 MB of locales, time zones and conversions that Foundation brings as one piece, and leaves those out since nothing names them. TABLE is
// __wrap_ and the library's name for them.

#include <stdint.h>

const struct {
    uint16_t header_size;
    uint8_t mark[2];
    uint16_t info_size, reserved_word;
    uint8_t is_big_endian, charset_family, size_of_character, reserved_byte;
    uint8_t format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    uint32_t count, reserved;
    uint32_t entries[4];
} TABLE __attribute__((aligned(16))) = {
    .header_size = 32,
    .mark = {0xDA, 0x27},
    .info_size = 20,
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    .is_big_endian = 1,
#endif
    .size_of_character = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1, 0, 0, 0},
};
