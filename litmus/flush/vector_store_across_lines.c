/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* A store of 16 bytes begins in one line and ends in the next, which nobody flushes. The second one is flushed in both. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 4096);
  __m128i bytes = _mm_set1_epi8((char)argc);
  _mm_storeu_si128((__m128i *)(pm + 56), bytes); //@S1
  pm_flush(pm);
  _mm_storeu_si128((__m128i *)(pm + 1024 + 56), bytes);
  pm_flush(pm + 1024);
  pm_flush(pm + 1024 + 64);
  pm_fence();
  return 0;
}
