// SPDX-License-Identifier: Apache-2.0
//
// Clearing what other code's work left behind: below the stack pointer, in vector registers, in freed blocks.

#include "CPlatform.h"
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__x86_64__)
// What vzeroall doesn't reach. The C library copies short blocks, keys for example, through these.
__attribute__((target("avx512f"), noinline)) static void clear_upper_registers(void) {
#define CLEAR(n) __asm__ __volatile__("vpxorq %%zmm" #n ", %%zmm" #n ", %%zmm" #n : : : "xmm" #n)
    CLEAR(16); CLEAR(17); CLEAR(18); CLEAR(19); CLEAR(20); CLEAR(21); CLEAR(22); CLEAR(23);
    CLEAR(24); CLEAR(25); CLEAR(26); CLEAR(27); CLEAR(28); CLEAR(29); CLEAR(30); CLEAR(31);
#undef CLEAR
}
#endif

static void clear_vector_registers(void) {
#if defined(__x86_64__)
    static int known = -1;
    int level = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (level < 0) {
        level = __builtin_cpu_supports("avx512f") ? 2 : __builtin_cpu_supports("avx") ? 1 : 0;
        __atomic_store_n(&known, level, __ATOMIC_RELAXED);
    }
    if (level == 2) clear_upper_registers();
    if (level > 0) {
        __asm__ __volatile__("vzeroall" : : : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                             "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
        return;
    }
#define CLEAR(n) __asm__ __volatile__("pxor %%xmm" #n ", %%xmm" #n : : : "xmm" #n)
    CLEAR(0); CLEAR(1); CLEAR(2); CLEAR(3); CLEAR(4); CLEAR(5); CLEAR(6); CLEAR(7);
    CLEAR(8); CLEAR(9); CLEAR(10); CLEAR(11); CLEAR(12); CLEAR(13); CLEAR(14); CLEAR(15);
#undef CLEAR
#elif defined(__aarch64__)
// The callee-saved halves of v8 to v15 hold the caller's values.
#define CLEAR(n) __asm__ __volatile__("movi v" #n ".2d, #0" : : : "v" #n)
    CLEAR(0); CLEAR(1); CLEAR(2); CLEAR(3); CLEAR(4); CLEAR(5); CLEAR(6); CLEAR(7);
    CLEAR(16); CLEAR(17); CLEAR(18); CLEAR(19); CLEAR(20); CLEAR(21); CLEAR(22); CLEAR(23);
    CLEAR(24); CLEAR(25); CLEAR(26); CLEAR(27); CLEAR(28); CLEAR(29); CLEAR(30); CLEAR(31);
#undef CLEAR
#endif
}

// Not inlined: its frame has to lie where the frames of what just returned lay.
__attribute__((noinline)) void zamok_clear_stack(size_t depth) {
    // First: the dynamic linker saves these registers, below what is cleared here, when it looks up the function that does it.
    clear_vector_registers();
    unsigned char below[depth];
    zamok_wipe(below, depth);
}

// glibc gives a thread its own freed blocks back, the last one first, at most 7 of a size; a fresh block from elsewhere
// means that there is none left. Other allocators may keep freed blocks where this doesn't reach.
enum { KEPT_PER_SIZE = 7 };

__attribute__((noinline)) void zamok_clear_freed(const size_t *sizes, size_t count) {
#if __linux__
    clear_vector_registers();
    void *blocks[KEPT_PER_SIZE];
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < KEPT_PER_SIZE; k++) {
            blocks[k] = malloc(sizes[i]);
            if (blocks[k]) zamok_wipe(blocks[k], sizes[i]);
        }
        for (int k = KEPT_PER_SIZE; k-- > 0;) free(blocks[k]);
    }
#else
    (void)sizes, (void)count;
#endif
}

// Of each size that a thread keeps apart as many blocks as it keeps, and more than one list has; then pieces that fill what lies together, and smaller and smaller
// ones for the gaps between those. All are held until the end: a block that was given back would be taken again in the place of another.
enum { LARGEST_KEPT = 1032, STEP = 16, OF_EACH_SIZE = 64, PIECES = 1024, GAPS = 512, GAP_SIZES = 6 };

#if __linux__
static size_t hold(void **blocks, size_t held, size_t size, int count) {
    for (int k = 0; k < count; k++) {
        void *block = malloc(size);
        if (!block) break;
        zamok_wipe(block, size);
        blocks[held++] = block;
    }
    return held;
}
#endif

__attribute__((noinline)) void zamok_clear_all_freed(void) {
#if __linux__
    clear_vector_registers();
    void *blocks[(LARGEST_KEPT / STEP + 1) * OF_EACH_SIZE + PIECES + GAPS * GAP_SIZES];
    size_t held = 0;
    for (size_t size = 24; size <= LARGEST_KEPT; size += STEP) held = hold(blocks, held, size, OF_EACH_SIZE);
    held = hold(blocks, held, LARGEST_KEPT, PIECES);
    static const size_t gaps[GAP_SIZES] = {520, 264, 136, 72, 40, 24};
    for (int k = 0; k < GAP_SIZES; k++) held = hold(blocks, held, gaps[k], GAPS);
    while (held > 0) free(blocks[--held]);
#endif
}

/// What freed blocks are filled with.
enum { FILLING = 0xDB };

int zamok_overwrite_freed(void) {
#if defined(__GLIBC__)
    // A block with a mapping of its own keeps the rest of its page when it is made smaller, and nobody overwrites that: there are none.
    return mallopt(M_PERTURB, FILLING) == 1 && mallopt(M_MMAP_MAX, 0) == 1 ? 0 : -1;
#else
    return -1;
#endif
}
