/* LITMUS
 * command: run
 * END */
/* mfence and locked instructions with nothing pending are no needless fences: they order other things than
 * persistence, too. */
#include "litmus.h"

static int counter;

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pm->x = 1;
  pm_flush(&pm->x);
  _mm_mfence();
  _mm_mfence();
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
  keep((uint64_t)counter);
  return 0;
}
