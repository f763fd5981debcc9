/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * expect: missing-fence store=S2
 * expect: missing-fence store=S3
 * expect: missing-fence store=S4
 * expect: missing-fence store=S5
 * END */
/* Non-temporal stores of four, eight and sixteen bytes, none of them fenced. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t l[16][8]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *b = pm_map(argv[1], sizeof(struct pool));
  _mm_stream_si32((int *)b, 7); //@S1
  _mm_stream_si64((long long *)(b + 64), 7); //@S2
  _mm_stream_si128((__m128i *)(b + 128), _mm_set1_epi8(2)); //@S3
  _mm_stream_ps((float *)(b + 192), _mm_set1_ps(2)); //@S4
  _mm_stream_pd((double *)(b + 256), _mm_set1_pd(2)); //@S5
  return 0;
}
