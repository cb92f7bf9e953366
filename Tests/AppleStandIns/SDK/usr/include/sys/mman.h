// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_SYS_MMAN_H
#define STANDIN_SYS_MMAN_H
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_FIXED 0x0010
#define MAP_ANON 0x1000
#define MAP_ANONYMOUS MAP_ANON
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 16
#define MADV_DONTNEED 4
#define MADV_FREE 5
#define MADV_ZERO_WIRED_PAGES 6
int madvise(void *, size_t, int);
int mlock(const void *, size_t);
void *mmap(void *, size_t, int, int, int, off_t);
int mprotect(void *, size_t, int);
int msync(void *, size_t, int);
int munlock(const void *, size_t);
int munmap(void *, size_t);
int minherit(void *, size_t, int);
#endif
