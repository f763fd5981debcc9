/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * expect: persistency-race store=L1 load=S1 level<=possible evidence=lockset
 * END */
/* Two threads add to a counter in persistent memory. The second addition reads what the first has not persisted: the
 * load half of a read-modify-write is a load. Its store half overwrites the first value, and that one is persisted. In this
 * run the read-modify-writes order the second store behind the first load; without a lock another run may not. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note added;

static void *first(void *arg) {
  __atomic_fetch_add(&pm->x, 1, __ATOMIC_ACQ_REL); //@S1
  tell(&added);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, first, NULL);
  await(&added);
  __atomic_fetch_add(&pm->x, 1, __ATOMIC_ACQ_REL); //@L1
  pm_persist(&pm->x, sizeof pm->x);
  finish(t);
  return 0;
}
