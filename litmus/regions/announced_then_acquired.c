/* LITMUS
 * command: run
 * options: --detect regions --starts static
 * END */
/* As announced_load, but the reader takes the writer's lock before it loads: its region starts behind that. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note looking, stored;

static void *writer(void *arg) {
  await(&looking);
  pthread_mutex_lock(&a);
  pm->x = 1;
  pm_persist(&pm->x, sizeof pm->x);
  pthread_mutex_unlock(&a);
  tell(&stored);
  return arg;
}

__attribute__((noinline)) static uint64_t look(const uint64_t *x) {
  tell(&looking);
  await(&stored);
  pthread_mutex_lock(&a);
  uint64_t v = *x;
  pthread_mutex_unlock(&a);
  return v;
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
