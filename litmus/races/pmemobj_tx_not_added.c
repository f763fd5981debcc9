/* LITMUS
 * command: run
 * libs: -lpmemobj
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * allow: missing-flush store=S1
 * END */
/* libpmemobj: a transaction holds the lock, but the range was not added to it: the commit does not persist the store. */
#include "litmus.h"
#include <libpmemobj.h>

struct root { PMEMmutex m; _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };
static PMEMobjpool *pop;
static struct root *root;

static void *writer(void *arg) {
  if (pmemobj_tx_begin(pop, NULL, TX_PARAM_MUTEX, &root->m, TX_PARAM_NONE) != 0) exit(9);
  pmemobj_tx_add_range_direct(&root->x, 8);
  root->x = 1;
  root->y = 1; //@S1
  pmemobj_tx_commit();
  (void)pmemobj_tx_end();
  return arg;
}

static uint64_t get(void) {
  pmemobj_mutex_lock(pop, &root->m);
  uint64_t v = root->x;
  v += root->y; //@L1
  pmemobj_mutex_unlock(pop, &root->m);
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pop = pmemobj_create(argv[1], "litmus", PMEMOBJ_MIN_POOL, 0600);
  if (!pop) return 9;
  root = pmemobj_direct(pmemobj_root(pop, sizeof *root));
  keep(get());
  pthread_t t;
  start(&t, writer, NULL);
  while (get() != 2) pause_ms(2);
  finish(t);
  pmemobj_close(pop);
  return 0;
}
