/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * END */
/* A sixteen-byte non-temporal vector store needs no flush, but a fence. The first one gets it, the second does not. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x[2]; _Alignas(LINE) uint64_t y[2]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  _mm_stream_si128((__m128i *)pm->x, _mm_set1_epi8(1));
  pm_fence();
  _mm_stream_si128((__m128i *)pm->y, _mm_set1_epi8(2)); //@S1
  return 0;
}
