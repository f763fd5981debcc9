/* LITMUS
 * command: run
 * expect: redundant-flush persist=P2
 * END */
/* Flush and fence of a loop are needed the first time round only: not reported. A second loop never needs its flush; its
 * mfence is no finding. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pm->x = 1;
  for (int i = 0; i < 4; i++) {
    pm_flush(&pm->x);
    pm_fence();
  }
  for (int i = 0; i < 4; i++) {
    pm_flush(&pm->x); //@P2
    _mm_mfence();
  }
  return 0;
}
