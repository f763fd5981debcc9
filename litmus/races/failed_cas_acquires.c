/* LITMUS
 * command: run
 * options: --detect hb,observed,regions --no-init-removal
 * END */
/* A compare-and-swap that fails has the order of its failure: this one acquires, although its success would not. Store and persist come
 * before the release store whose value it finds. */
#include "litmus.h"
#include <stdatomic.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static _Atomic int ready;

static void *writer(void *arg) {
  pm->x = 1;
  pm_persist(&pm->x, sizeof pm->x);
  atomic_store_explicit(&ready, 5, memory_order_release);
  return arg;
}

static int look(void) {
  int found = 99;
  atomic_compare_exchange_strong_explicit(&ready, &found, 0, memory_order_relaxed, memory_order_acquire);
  return found;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  if (look() != 0) return 9;
  pthread_t t;
  start(&t, writer, NULL);
  while (look() == 0) usleep(100);
  keep(pm->x);
  finish(t);
  return 0;
}
