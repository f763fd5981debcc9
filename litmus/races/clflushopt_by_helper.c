/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* One thread stores, another one executes clflushopt on the line and announces it before its fence. The line is only
 * pending for the helper, and a release store completes no flush. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static int stage; /* 1 stored, 2 flushed */
static note looked;

static void *writer(void *arg) {
  pm->x = 1; //@S1
  __atomic_store_n(&stage, 1, __ATOMIC_RELEASE);
  return arg;
}

static void *helper(void *arg) {
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != 1) pause_ms(1);
  pm_flush(&pm->x);
  __atomic_store_n(&stage, 2, __ATOMIC_RELEASE);
  await(&looked);
  pm_fence();
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t1, t2;
  start(&t1, writer, NULL);
  start(&t2, helper, NULL);
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != 2) pause_ms(1);
  keep(pm->x); //@L1
  tell(&looked);
  finish(t1);
  finish(t2);
  return 0;
}
