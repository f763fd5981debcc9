/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=R1
 * allow: fence
 * after-fix: clean
 * END */
/* A function that calls itself: its summary is made of its summary. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x[32]; };

static void fill(uint64_t *x, int n) {
  if (n == 0) return;
  *x = (uint64_t)n; //@A1
  fill(x + 8, n - 1);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  fill(pool->x, 4);
  return 0; //@R1
}
