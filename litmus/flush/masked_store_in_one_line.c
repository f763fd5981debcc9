/* LITMUS
 * command: run
 * END */
/* A vector lies across two lines, but the mask selects nothing in the second: flushing the first is enough, and not too much. */
#include "vectors.h"

struct pool { _Alignas(LINE) int first[16], second[16]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *p = pm_map(argv[1], 4 * sizeof *p);
  masked_store(p[0].first + 8, 0x0085, 1);
  pm_persist(p[0].first, LINE);
  narrowed_store((char *)p[1].second - 8, 0x0081, 2);
  pm_persist(p[1].first, LINE);
  compressed_store(p[2].first + 14, 0x9000, 3);
  pm_persist(p[2].first, LINE);
  scattered_store(p[3].first, 8, 0x0003, 4);
  pm_persist(p[3].first, LINE);
  return 0;
}
