/* Accesses of single elements by instructions of AVX-512, and 64 bytes at once past the caches; where the processor has none of these, the
 * same accesses one by one. What happens stands on the line of the caller. */
#ifndef LITMUS_VECTORS_H
#define LITMUS_VECTORS_H
#include "litmus.h"

#define NUMBERS 16 /* in a vector */

static inline int has_masks(void) { return __builtin_cpu_supports("avx512f") != 0; }
static inline int has_direct_stores(void) {
  unsigned a = 7, b, c = 0, d;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return c >> 28 & 1;
}

/* Stores the number to those of 16 places that the mask selects. */
__attribute__((noinline, target("avx512f"))) static void masked_store_512(int *to, unsigned mask, int number) {
  _mm512_mask_storeu_epi32(to, (__mmask16)mask, _mm512_set1_epi32(number));
}
static inline void masked_store(int *to, unsigned mask, int number) {
  if (has_masks()) { masked_store_512(to, mask, number); return; }
  for (int i = 0; i < NUMBERS; i++) if (mask >> i & 1) ((volatile int *)to)[i] = number;
}

/* The same, as bytes. */
__attribute__((noinline, target("avx512f"))) static void narrowed_store_512(char *to, unsigned mask, int number) {
  _mm512_mask_cvtepi32_storeu_epi8(to, (__mmask16)mask, _mm512_set1_epi32(number));
}
static inline void narrowed_store(char *to, unsigned mask, int number) {
  if (has_masks()) { narrowed_store_512(to, mask, number); return; }
  for (int i = 0; i < NUMBERS; i++) if (mask >> i & 1) ((volatile char *)to)[i] = (char)number;
}

/* Stores the number as often as the mask has bits, side by side. */
__attribute__((noinline, target("avx512f"))) static void compressed_store_512(int *to, unsigned mask, int number) {
  _mm512_mask_compressstoreu_epi32(to, (__mmask16)mask, _mm512_set1_epi32(number));
}
static inline void compressed_store(int *to, unsigned mask, int number) {
  if (has_masks()) { compressed_store_512(to, mask, number); return; }
  for (int i = 0, n = 0; i < NUMBERS; i++) if (mask >> i & 1) ((volatile int *)to)[n++] = number;
}

/* Stores the number to those of the 16 places base[i * distance] that the mask selects. */
__attribute__((noinline, target("avx512f"))) static void scattered_store_512(int *base, int distance, unsigned mask, int number) {
  __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i places = _mm512_mullo_epi32(order, _mm512_set1_epi32(distance));
  _mm512_mask_i32scatter_epi32(base, (__mmask16)mask, places, _mm512_set1_epi32(number), 4);
}
static inline void scattered_store(int *base, int distance, unsigned mask, int number) {
  if (has_masks()) { scattered_store_512(base, distance, mask, number); return; }
  for (int i = 0; i < NUMBERS; i++) if (mask >> i & 1) ((volatile int *)base)[i * distance] = number;
}

/* The sum of those of the 16 numbers base[i * distance] that the mask selects. */
__attribute__((noinline, target("avx512f"))) static int gathered_sum_512(const int *base, int distance, unsigned mask) {
  __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i places = _mm512_mullo_epi32(order, _mm512_set1_epi32(distance));
  return _mm512_reduce_add_epi32(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)mask, places, base, 4));
}
static inline int gathered_sum(const int *base, int distance, unsigned mask) {
  if (has_masks()) return gathered_sum_512(base, distance, mask);
  int sum = 0;
  for (int i = 0; i < NUMBERS; i++) if (mask >> i & 1) sum += ((const volatile int *)base)[i * distance];
  return sum;
}

/* The sum of those of 16 numbers side by side that the mask selects. */
__attribute__((noinline, target("avx512f"))) static int masked_sum_512(const int *from, unsigned mask) {
  return _mm512_reduce_add_epi32(_mm512_maskz_loadu_epi32((__mmask16)mask, from));
}
static inline int masked_sum(const int *from, unsigned mask) { return has_masks() ? masked_sum_512(from, mask) : gathered_sum(from, 1, mask); }

/* Copies a line past the caches. */
__attribute__((noinline, target("movdir64b"))) static void direct_store_64(void *to, const void *from) { _movdir64b(to, from); }
static inline void direct_store(void *to, const void *from) {
  if (has_direct_stores()) { direct_store_64(to, from); return; }
  for (int i = 0; i < 8; i++) _mm_stream_si64((long long *)to + i, ((const long long *)from)[i]);
}
#endif
