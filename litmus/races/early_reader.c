/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=proven level<=proven evidence=lockset,happens-before
 * END */
/* The reader looks before the store, and nothing orders its look before it; a little later it would have seen an
 * unpersisted value. A load that came first is unordered all the same. It did not return unpersisted bytes. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note looked;

static void *writer(void *arg) {
  await(&looked);
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  keep(pm->x); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
