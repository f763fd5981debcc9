/* LITMUS
 * command: run
 * allow: persistency-race store=S1 load=L1 level<=possible
 * END */
/* x is stored and persisted under a read lock; another thread then reads it under the write lock. A read-unlock does
 * order later write-locks. Locksets do not trust a store made under a read lock, and may say that a race is possible. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static note done;

static void *writer(void *arg) {
  pthread_rwlock_rdlock(&a);
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  pthread_rwlock_unlock(&a);
  tell(&done);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  keep(pm->x); /* so that the store is no initialisation */
  pthread_t t;
  start(&t, writer, NULL);
  await(&done);
  pthread_rwlock_wrlock(&a);
  keep(pm->x); //@L1
  pthread_rwlock_unlock(&a);
  finish(t);
  return 0;
}
