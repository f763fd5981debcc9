/* LITMUS
 * command: run
 * options: --no-init-removal
 * expect: persistency-race store=S1 load=L1 level>=proven evidence=lockset,happens-before
 * forbid: persistency-race level>=observed
 * END */
/* As before, but the helper is joined only after the reader: its persist is not ordered before the load, although the
 * store is. It was persisted when the load came. */
#include "litmus.h"

static uint64_t *pm;
static note persisted;

static void *helper(void *a) { pm_persist(pm, 8); tell(&persisted); return a; }
static void *reader(void *a) {
  keep(*pm); //@L1
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  *pm = 1; //@S1
  pthread_t t, u;
  start(&t, helper, NULL);
  await(&persisted);
  start(&u, reader, NULL);
  finish(u);
  finish(t);
  return 0;
}
