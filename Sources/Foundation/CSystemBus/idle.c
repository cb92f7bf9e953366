// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "zamok_system_bus.h"

#if defined(__linux__)
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Lets go of what of an object was mapped out of its file and can't have been changed: it is read again from there when it is needed.
static int release_object(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        // Whole pages of the segment alone: those at its ends may be shared with one that is written.
        uintptr_t begin = (object->dlpi_addr + segment->p_vaddr + page - 1) / page * page;
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) / page * page;
        if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void zamok_release_idle_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    dl_iterate_phdr(release_object, NULL);
}
#else
void zamok_release_idle_memory(void) {}
#endif
