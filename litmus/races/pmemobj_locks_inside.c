/* LITMUS
 * command: run
 * libs: -lpmemobj
 * END */
/* libpmemobj: a transaction takes a PMEMmutex of the pool by its parameters and gives it back when it has committed; the reader takes the mutex itself. A
 * PMEMrwlock guards a second field. */
#include "litmus.h"
#include <libpmemobj.h>

struct root { PMEMmutex m; PMEMrwlock rw; _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };
static PMEMobjpool *pop;
static struct root *root;

static void *writer(void *arg) {
  if (pmemobj_tx_begin(pop, NULL, TX_PARAM_MUTEX, &root->m, TX_PARAM_NONE) != 0) exit(9);
  pmemobj_tx_add_range_direct(&root->x, 8);
  root->x = 1;
  pmemobj_tx_commit();
  (void)pmemobj_tx_end();
  pmemobj_rwlock_wrlock(pop, &root->rw);
  root->y = 1;
  pmemobj_persist(pop, &root->y, 8);
  pmemobj_rwlock_unlock(pop, &root->rw);
  return arg;
}

static uint64_t get(void) {
  pmemobj_mutex_lock(pop, &root->m);
  uint64_t v = root->x;
  pmemobj_mutex_unlock(pop, &root->m);
  pmemobj_rwlock_rdlock(pop, &root->rw);
  v += root->y;
  pmemobj_rwlock_unlock(pop, &root->rw);
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
