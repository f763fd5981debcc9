/* LITMUS
 * command: run
 * options: --detect hb --no-init-removal
 * expect: persistency-race store=S1 load=L1 evidence=happens-before
 * END */
/* A compare-and-swap that fails has the order of its failure: this one is relaxed and orders nothing, although its
 * success would. */
#include "litmus.h"
#include <stdatomic.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static _Atomic int a;

static void *writer(void *arg) {
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  atomic_store_explicit(&a, 5, memory_order_release);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  int e;
  do {
    e = 99;
    atomic_compare_exchange_strong_explicit(&a, &e, 0, memory_order_acquire, memory_order_relaxed);
  } while (e == 0);
  keep(pm->x); //@L1
  finish(t);
  return 0;
}
