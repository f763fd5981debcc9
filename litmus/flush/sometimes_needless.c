/* LITMUS
 * command: run
 * END */
/* A flush and a fence in a loop find nothing to do in some rounds. Only what is needless every time is reported. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  for (int i = 0; i < 4; i++) {
    if (i % 2 == 0) pm->x = 1u + (unsigned)i;
    pm_flush(&pm->x);
    pm_fence();
  }
  return 0;
}
