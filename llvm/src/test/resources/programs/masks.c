#include <immintrin.h>

extern int *test_pm;

__attribute__((noinline, used, target("avx512f,avx512vl"))) static void stores(char *p) {
  __m512i numbers = _mm512_setr_epi32(1, 300, -300, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  _mm512_mask_storeu_epi32(p, 0x8001, numbers); // masked
  _mm512_mask_cvtepi32_storeu_epi8(p + 64, 0x8002, numbers); // cut
  _mm512_mask_cvtsepi32_storeu_epi8(p + 80, 0x0007, numbers); // signed
  _mm512_mask_cvtusepi32_storeu_epi16(p + 96, 0x0006, numbers); // unsigned
  _mm512_mask_compressstoreu_epi32(p + 128, 0x8010, numbers); // compressed
  __m256i places = _mm256_setr_epi64x(24, 0, 8, 0);
  _mm256_mask_i64scatter_epi64(p + 192, 0x5, places, _mm256_set1_epi64x(7), 2); // scattered
}

__attribute__((noinline, used, target("avx512f,avx512vl"))) static int loads(const char *p) {
  __m256i places = _mm256_add_epi64(_mm256_set1_epi64x((long long)p), _mm256_setr_epi64x(208, 0, 240, 0));
  __m256i none = _mm256_setzero_si256();
  __m256i addressed = _mm256_mmask_i64gather_epi64(none, 0x5, places, 0, 1); // addressed
  __m256i read = _mm256_mask_expandloadu_epi32(addressed, 0x81, p + 128); // expanded
  return _mm256_extract_epi32(read, 7);
}

__attribute__((noinline, used, target("movdir64b,movdiri"))) static void direct(char *p) {
  _movdir64b(p + 256, p + 128); // copied
  _directstoreu_u32(p + 320, 3); // direct
}

int main(void) {
  stores((char *)test_pm);
  direct((char *)test_pm);
  return loads((char *)test_pm) == 16 ? 0 : 1;
}
