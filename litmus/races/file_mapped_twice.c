/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* The pool is mapped twice: the writer stores through one mapping and persists through the other, the reader looks through
 * that one in between. Both show the same memory. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm, *again;
static note stored, looked;

static void *writer(void *arg) {
  pm->x = 1; //@S1
  tell(&stored);
  await(&looked);
  pm_persist(&again->x, sizeof again->x);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  again = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  keep(again->x); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
