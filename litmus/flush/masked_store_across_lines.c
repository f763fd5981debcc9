/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * expect: missing-flush store=S3
 * END */
/* A vector lies across two lines, and the first is flushed: that is enough only where the mask selects nothing in the second. */
#include "vectors.h"

struct pool { _Alignas(LINE) int first[16], second[16]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *p = pm_map(argv[1], 4 * sizeof *p);
  masked_store(p[0].first + 8, 0x0105, 1); //@S1
  pm_persist(p[0].first, LINE);
  narrowed_store((char *)p[1].second - 8, 0x8001, 2); //@S2
  pm_persist(p[1].first, LINE);
  compressed_store(p[2].first + 14, 0x9100, 3); //@S3
  pm_persist(p[2].first, LINE);
  return 0;
}
