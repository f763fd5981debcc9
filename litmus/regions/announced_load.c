/* LITMUS
 * command: run
 * options: --detect regions --starts static
 * expect: persistency-race store=S1 load=L1 level>=proven evidence=region-overlap
 * END */
/* The reader is bound to load x from its first line on, which the program announces there. Meanwhile the writer stores and persists
 * x under a lock that the reader does not take. When the load is made, the writer's region is over; the two have overlapped. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note looking, stored;

static void *writer(void *arg) {
  await(&looking);
  pthread_mutex_lock(&a);
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  pthread_mutex_unlock(&a);
  tell(&stored);
  return arg;
}

__attribute__((noinline)) static uint64_t look(const uint64_t *x) {
  tell(&looking);
  await(&stored);
  return *x; //@L1
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  keep(pm->x);
  pthread_t t;
  start(&t, writer, NULL);
  keep(look(&pm->x));
  finish(t);
  return 0;
}
