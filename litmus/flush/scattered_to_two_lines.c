/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: redundant-flush persist=F1
 * END */
/* The places of a scatter are those that the indices say and the mask selects: here the first and the third line, not the second. */
#include "vectors.h"

struct pool { _Alignas(LINE) int line[16]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *p = pm_map(argv[1], 16 * sizeof *p);
  scattered_store(p->line, 16, 0x0005, 1); //@S1
  pm_flush(&p[0]);
  pm_flush(&p[1]); //@F1
  pm_fence();
  return 0;
}
