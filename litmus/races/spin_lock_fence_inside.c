/* LITMUS
 * command: run
 * END */
/* Flushed and fenced under a POSIX spin lock. The reader looks before and after; the lock keeps the two apart. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_spinlock_t a;

static void *writer(void *arg) {
  pthread_spin_lock(&a);
  pm->x = 1;
  pm_flush(&pm->x);
  pm_fence();
  pthread_spin_unlock(&a);
  return arg;
}

static uint64_t get(void) {
  pthread_spin_lock(&a);
  uint64_t v = pm->x;
  pthread_spin_unlock(&a);
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
  pthread_t t;
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  finish(t);
  return 0;
}
