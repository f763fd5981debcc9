/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* A compare-and-swap that fails stores nothing, but it has read the word, and here it has read an unpersisted value. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note stored, looked;

static void *writer(void *arg) {
  __atomic_store_n(&pm->x, 1, __ATOMIC_RELEASE); //@S1
  tell(&stored);
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  uint64_t expected = 5;
  if (__atomic_compare_exchange_n(&pm->x, &expected, 6, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return 9; //@L1
  keep(expected);
  tell(&looked);
  finish(t);
  return 0;
}
