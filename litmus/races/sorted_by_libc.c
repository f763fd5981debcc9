/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* qsort moves the elements inside libc: a store over the whole array, at the caller's line. The reader looks before it is
 * persisted. */
#include "litmus.h"

struct pool { _Alignas(LINE) unsigned char keys[16]; };
static struct pool *pm;
static note sorted, looked;

static int by_value(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }

static void *writer(void *arg) {
  qsort(pm->keys, sizeof pm->keys, 1, by_value); //@S1
  tell(&sorted);
  await(&looked);
  pm_persist(pm->keys, sizeof pm->keys);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  for (unsigned i = 0; i < sizeof pm->keys; i++) pm->keys[i] = (unsigned char)(100 - i);
  pm_persist(pm->keys, sizeof pm->keys);
  pthread_t t;
  start(&t, writer, NULL);
  await(&sorted);
  keep(pm->keys[3]); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
