/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* The reader waits for the mutex with a time limit, does not get it, and reads anyway. A timed lock that runs out
 * acquires nothing. */
#include "litmus.h"
#include <time.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note stored, looked;

static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  pm->x = 1; //@S1
  tell(&stored);
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
  pthread_mutex_unlock(&a);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  int held = pthread_mutex_timedlock(&a, &soon) == 0;
  keep(pm->x); //@L1
  tell(&looked);
  if (held) pthread_mutex_unlock(&a);
  finish(t);
  return 0;
}
