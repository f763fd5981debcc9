/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * END */
/* maskmovdqu is a non-temporal store of single bytes: no flush, but a fence. */
#include "litmus.h"

struct pool { _Alignas(LINE) char l[256]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *b = pm_map(argv[1], sizeof(struct pool));
  __m128i mask = _mm_setr_epi8(-1, 0, -1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1);
  _mm_maskmoveu_si128(_mm_set1_epi8(2), mask, b + 8);
  _mm_sfence();
  _mm_maskmoveu_si128(_mm_set1_epi8(2), mask, b + 128); //@S1
  return 0;
}
