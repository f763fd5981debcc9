/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=proven level<=proven evidence=happens-before
 * END */
/* The reader takes its value from a relaxed store of a third thread. That store heads no release sequence and
 * continues none, so nothing orders the writer's persist before the load, although in this run it was long over. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static int stage; /* in ordinary memory: 1 persisted, 2 passed on */
static note persisted, passed;

static void *writer(void *arg) {
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  __atomic_store_n(&stage, 1, __ATOMIC_RELEASE);
  tell(&persisted);
  return arg;
}

static void *between(void *arg) {
  await(&persisted);
  __atomic_store_n(&stage, 2, __ATOMIC_RELAXED);
  tell(&passed);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  keep(pm->x);
  pthread_t t1, t2;
  start(&t1, writer, NULL);
  start(&t2, between, NULL);
  await(&passed); /* one look: it sees what the third thread wrote */
  keep((uint64_t)__atomic_load_n(&stage, __ATOMIC_ACQUIRE));
  keep(pm->x); //@L1
  finish(t1);
  finish(t2);
  return 0;
}
