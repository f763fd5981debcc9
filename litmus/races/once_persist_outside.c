/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* The routine of pthread_once stores x, and its caller persists it when pthread_once has returned: another thread may
 * pass through pthread_once and read x before that. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static note done, looked;

static void fill(void) {
  pm->x = 1; //@S1
}

static void *writer(void *arg) {
  pthread_once(&once, fill);
  tell(&done);
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  await(&done);
  pthread_once(&once, fill);
  keep(pm->x); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
