/* LITMUS
 * command: run
 * END */
/* x is persisted by msync of its page, inside the critical section; the reader looks before and after. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  pm->x = 1;
  if (msync(pm, sizeof *pm, MS_SYNC) != 0) exit(9);
  pthread_mutex_unlock(&a);
  return arg;
}

static uint64_t get(void) {
  pthread_mutex_lock(&a);
  uint64_t v = pm->x;
  pthread_mutex_unlock(&a);
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  finish(t);
  return 0;
}
