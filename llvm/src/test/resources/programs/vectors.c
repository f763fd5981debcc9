#include <immintrin.h>

extern int *test_pm;

__attribute__((noinline, used, target("avx2"))) static void masked(int *p) {
  __m256i some = _mm256_setr_epi32(-1, 0, -1, 0, 0, 0, 0, -1);
  _mm256_maskstore_epi32(p, some, _mm256_set1_epi32(5)); // masked-store
  __m256i read = _mm256_maskload_epi32(p, some); // masked-load
  _mm256_storeu_si256((__m256i *)(p + 8), read); // whole
}

__attribute__((noinline, used, target("avx2"))) static int gathered(const int *p) {
  __m128i at = _mm_setr_epi32(0, 2, 8, -1);
  __m128i some = _mm_setr_epi32(-1, -1, 0, -1);
  __m128i read = _mm_mask_i32gather_epi32(_mm_setzero_si128(), p + 1, at, some, 4); // gather
  return _mm_extract_epi32(read, 1);
}

int main(void) {
  masked(test_pm);
  return gathered(test_pm);
}
