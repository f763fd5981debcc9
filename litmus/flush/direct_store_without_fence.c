/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * END */
/* movdir64b writes a line past the caches: it needs no flush, but a fence, as other non-temporal stores do. */
#include "vectors.h"

struct pool { _Alignas(LINE) char line[64]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *p = pm_map(argv[1], 4 * sizeof *p);
  struct pool ready;
  memset(&ready, 1, sizeof ready);
  direct_store(&p[0], &ready);
  pm_fence();
  direct_store(&p[1], &ready); //@S1
  return 0;
}
