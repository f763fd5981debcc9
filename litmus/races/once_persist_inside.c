/* LITMUS
 * command: run
 * END */
/* The routine of pthread_once stores and persists x. Whoever passes through pthread_once comes after it. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static note done;

static void fill(void) {
  pm->x = 1;
  pm_persist(&pm->x, sizeof pm->x);
}

static void *writer(void *arg) {
  pthread_once(&once, fill);
  tell(&done);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  await(&done);
  pthread_once(&once, fill);
  keep(pm->x);
  finish(t);
  return 0;
}
