// SPDX-License-Identifier: Apache-2.0
//
// no-retain FOLDER: reads the words for a linker, one a line, and prints them with copies in FOLDER in place of objects and static libraries, which
// have no mark (SHF_GNU_RETAIN) with which the Swift compiler keeps all that is public, called or not: the linker then leaves out what nothing
// reaches. Sections that the runtime looks for by their names keep it: what describes types and conformances, and what runs at the start. Only for
// ELF of 64 bits in this machine's order of bytes; others are copied as they are.

#define _GNU_SOURCE
#include <ar.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SHF_GNU_RETAIN
#define SHF_GNU_RETAIN (1 << 21)
#endif

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

static bool is_kept(const char *name) { return begins(name, "swift5_") || begins(name, ".init_array") || begins(name, ".fini_array"); }

// The object is of `size` bytes. One whose tables are outside of it is left as it is.
static void clear(unsigned char *object, size_t size) {
    Elf64_Ehdr header;
    if (size < sizeof header) return;
    memcpy(&header, object, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr)) return;
    if (header.e_shoff > size || size - header.e_shoff < sizeof(Elf64_Shdr)) return;
    Elf64_Shdr section;
    memcpy(&section, object + header.e_shoff, sizeof section);
    size_t count = header.e_shnum != 0 ? header.e_shnum : section.sh_size;
    size_t texts = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : section.sh_link;
    if (count > (size - header.e_shoff) / sizeof section || texts >= count) return;
    memcpy(&section, object + header.e_shoff + texts * sizeof section, sizeof section);
    if (section.sh_offset > size || section.sh_size > size - section.sh_offset || section.sh_size == 0) return;
    const char *names = (const char *)object + section.sh_offset;
    size_t length = section.sh_size;
    if (names[length - 1] != 0) return;
    for (size_t i = 0; i < count; i++) {
        unsigned char *place = object + header.e_shoff + i * sizeof section;
        memcpy(&section, place, sizeof section);
        if (!(section.sh_flags & SHF_GNU_RETAIN) || section.sh_name >= length || is_kept(names + section.sh_name)) continue;
        section.sh_flags &= ~(Elf64_Xword)SHF_GNU_RETAIN;
        memcpy(place, &section, sizeof section);
    }
}

static unsigned char *content(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    if (file == NULL) return NULL;
    unsigned char *bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) > SARMAG) {
        *size = (size_t)ftell(file);
        bytes = malloc(*size);
        rewind(file);
        if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static void clear_all(unsigned char *bytes, size_t size) {
    if (memcmp(bytes, ARMAG, SARMAG) != 0) {
        clear(bytes, size);
        return;
    }
    struct ar_hdr header;
    for (size_t at = SARMAG; at < size && size - at >= sizeof header;) {
        memcpy(&header, bytes + at, sizeof header);
        at += sizeof header;
        char digits[sizeof header.ar_size + 1] = {0};
        memcpy(digits, header.ar_size, sizeof header.ar_size);
        size_t length = strtoul(digits, NULL, 10);
        if (length > size - at) return;
        clear(bytes + at, length);
        at += length + (length & 1);
    }
}

int main(int count, char **words) {
    if (count != 2) return fprintf(stderr, "usage: no-retain FOLDER <WORDS >WORDS\n"), 64;
    char *word = NULL;
    size_t space = 0;
    for (int number = 0; getline(&word, &space, stdin) > 0; number++) {
        word[strcspn(word, "\n")] = 0;
        const char *end = strrchr(word, '.');
        size_t size = 0;
        bool is_library = end != NULL && strcmp(end, ".a") == 0, is_object = end != NULL && strcmp(end, ".o") == 0;
        unsigned char *bytes = is_library || is_object ? content(word, &size) : NULL;
        if (bytes == NULL) {
            puts(word);
            continue;
        }
        const char *name = strrchr(word, '/') == NULL ? word : strrchr(word, '/') + 1;
        char copy[4096];
        // Objects of several modules have one name.
        int length = is_library ? snprintf(copy, sizeof copy, "%s/%s", words[1], name) : snprintf(copy, sizeof copy, "%s/%d-%s", words[1], number, name);
        clear_all(bytes, size);
        FILE *file = length < (int)sizeof copy ? fopen(copy, "wb") : NULL;
        if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) return perror(copy), 73;
        free(bytes);
        puts(copy);
    }
    free(word);
    return 0;
}
