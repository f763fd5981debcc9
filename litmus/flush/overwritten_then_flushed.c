/* LITMUS
 * command: run
 * END */
/* The first value is overwritten before anyone flushes it: its window ends there, and no flush of it is missing. */
#include "litmus.h"

struct pool { _Alignas(LINE) volatile uint64_t x; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pm->x = 1;
  pm->x = 2;
  pm_flush(&pm->x);
  pm_fence();
  return 0;
}
