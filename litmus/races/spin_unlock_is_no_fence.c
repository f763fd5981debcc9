/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* Flushed under a POSIX spin lock, with the fence after the unlock. pthread_spin_unlock is a plain store: unlike the
 * unlock of a mutex it completes no flush. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_spinlock_t a;
static note looked;

static void *writer(void *arg) {
  pthread_spin_lock(&a);
  pm->x = 1; //@S1
  pm_flush(&pm->x);
  pthread_spin_unlock(&a);
  await(&looked);
  pm_fence();
  return arg;
}

static uint64_t get(void) {
  pthread_spin_lock(&a);
  uint64_t v = pm->x; //@L1
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
  tell(&looked);
  finish(t);
  return 0;
}
