// SPDX-License-Identifier: Apache-2.0
//
// Where in a text a secret may begin. Most bytes of an answer are asked this alone, so 32 are asked at once where the
// processor can: each byte's two halves are looked up in tables of 16, and what both have is what the byte may be.

#include "CGuardProxy.h"

enum { LOW0 = 0, HIGH0 = 16, LOW1 = 32, HIGH1 = 48, LOW2 = 64, HIGH2 = 80, LOWK = 96, HIGHK = 112, BREAKS = 128, ESCAPES, BEGINNINGS };

static unsigned char both(const unsigned char *tables, int low, int high, unsigned char byte) {
    return tables[low + (byte & 15)] & tables[high + (byte >> 4)];
}

/// Of four bytes.
static int is_candidate(const unsigned char *tables, const unsigned char *bytes) {
    if (both(tables, LOWK, HIGHK, bytes[0]) & tables[BEGINNINGS]) return 1;
    unsigned char first = both(tables, LOW0, HIGH0, bytes[0]), second = both(tables, LOWK, HIGHK, bytes[1]);
    if (first == 0) return 0;
    if (second & tables[ESCAPES]) return 1;
    unsigned char third = both(tables, LOWK, HIGHK, bytes[2]) ? 0xFF : 0;
    if (first & both(tables, LOW1, HIGH1, bytes[1]) & (both(tables, LOW2, HIGH2, bytes[2]) | third)) return 1;
    if ((second & tables[BREAKS]) == 0) return 0;
    if (third) return 1;
    unsigned char fourth = both(tables, LOWK, HIGHK, bytes[3]) ? 0xFF : 0;
    return (first & both(tables, LOW1, HIGH1, bytes[2]) & (both(tables, LOW2, HIGH2, bytes[3]) | fourth)) != 0;
}

/// Breaks between two characters; as in SearchedForms.
enum { MOST_BREAKS = 64 };

static int is_pair(const unsigned char *pairs, unsigned char first, unsigned char second) {
    return pairs[first << 5 | second >> 3] >> (second & 7) & 1;
}

/// Whether two bytes that are no breaks, and the third after them, may be those of a pattern.
static int may_begin(const unsigned char *tables, const unsigned char *pairs, const unsigned char *bytes, size_t count) {
    size_t next = 1, end = count < MOST_BREAKS + 1 ? count : MOST_BREAKS + 1;
    for (; next < end; next++) {
        unsigned char kind = both(tables, LOWK, HIGHK, bytes[next]);
        if (is_pair(pairs, bytes[0], bytes[next])) {
            if ((both(tables, LOWK, HIGHK, bytes[0]) | kind) != 0 || next + 1 == count) return 1;
            if (both(tables, LOWK, HIGHK, bytes[next + 1]) != 0) return 1;
            return is_pair(pairs + GUARD_PROXY_PAIRS / 2, bytes[next], bytes[next + 1]);
        }
        // Breaks are between characters: an escape has none.
        if ((kind & tables[BREAKS]) == 0 || both(tables, LOW0, HIGH0, bytes[0]) == 0) return 0;
    }
    return 1;
}

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

TARGET static __m256i table(const unsigned char *bytes) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

TARGET static __m256i look(__m256i low, __m256i high, __m256i bytes) {
    const __m256i half = _mm256_set1_epi8(15);
    return _mm256_and_si256(_mm256_shuffle_epi8(low, _mm256_and_si256(bytes, half)),
                            _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half)));
}

/// All bits of each byte that has one.
TARGET static __m256i any(__m256i bytes) {
    return _mm256_xor_si256(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()), _mm256_set1_epi8(-1));
}

/// Leaves the last 34 bytes and fewer.
TARGET static size_t next_of_32(const unsigned char *tables, const unsigned char *pairs, const unsigned char *bytes,
                                size_t from, size_t count) {
    const __m256i low0 = table(tables + LOW0), high0 = table(tables + HIGH0), low1 = table(tables + LOW1),
                  high1 = table(tables + HIGH1), low2 = table(tables + LOW2), high2 = table(tables + HIGH2),
                  lowk = table(tables + LOWK), highk = table(tables + HIGHK),
                  breaks = _mm256_set1_epi8((char)tables[BREAKS]), escapes = _mm256_set1_epi8((char)tables[ESCAPES]),
                  beginnings = _mm256_set1_epi8((char)tables[BEGINNINGS]);
    for (; from + 35 <= count; from += 32) {
        __m256i bytes0 = _mm256_loadu_si256((const __m256i *)(bytes + from));
        __m256i bytes1 = _mm256_loadu_si256((const __m256i *)(bytes + from + 1));
        __m256i bytes2 = _mm256_loadu_si256((const __m256i *)(bytes + from + 2));
        __m256i bytes3 = _mm256_loadu_si256((const __m256i *)(bytes + from + 3));
        __m256i first = look(low0, high0, bytes0), kind1 = look(lowk, highk, bytes1);
        __m256i third = any(look(lowk, highk, bytes2)), fourth = any(look(lowk, highk, bytes3));
        __m256i plain = _mm256_and_si256(look(low1, high1, bytes1), _mm256_or_si256(look(low2, high2, bytes2), third));
        __m256i after = _mm256_and_si256(look(low1, high1, bytes2), _mm256_or_si256(look(low2, high2, bytes3), fourth));
        __m256i broken = _mm256_and_si256(any(_mm256_and_si256(kind1, breaks)), _mm256_or_si256(after, third));
        __m256i rest = _mm256_or_si256(_mm256_or_si256(plain, broken), any(_mm256_and_si256(kind1, escapes)));
        __m256i escape = _mm256_and_si256(look(lowk, highk, bytes0), beginnings);
        unsigned found = ~(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(
            _mm256_or_si256(_mm256_and_si256(first, rest), escape), _mm256_setzero_si256()));
        for (; found != 0; found &= found - 1) {
            size_t position = from + (size_t)__builtin_ctz(found);
            if (may_begin(tables, pairs, bytes + position, count - position)) return position;
        }
    }
    return from;
}

#endif

size_t guard_proxy_candidate(const unsigned char *tables, const unsigned char *pairs, const unsigned char *bytes,
                             size_t from, size_t count) {
#if defined(__x86_64__)
    if (from + 35 <= count && __builtin_cpu_supports("avx2")) from = next_of_32(tables, pairs, bytes, from, count);
#endif
    while (from + 3 < count
           && !(is_candidate(tables, bytes + from) && may_begin(tables, pairs, bytes + from, count - from))) from++;
    return from;
}
