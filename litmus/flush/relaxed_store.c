/* LITMUS
 * command: run
 * END */
/* A counter of statistics in persistent memory need not survive a crash. Its store stands in a relaxed block, so no
 * flush is missing. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  PERDURE_RELAXED_BEGIN();
  pm->x = 1;
  PERDURE_RELAXED_END();
  pm->y = 2;
  pm_persist(&pm->y, sizeof pm->y);
  return 0;
}
