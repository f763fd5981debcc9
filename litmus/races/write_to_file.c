/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* The reader hands an unpersisted record to write(2). The system call reads the bytes: that is the load. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note stored, looked;

static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  pm->x = 1; //@S1
  pthread_mutex_unlock(&a);
  tell(&stored);
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  int ends[2];
  if (pipe(ends) != 0) return 9;
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  pthread_mutex_lock(&a);
  if (write(ends[1], &pm->x, sizeof pm->x) != sizeof pm->x) return 9; //@L1
  pthread_mutex_unlock(&a);
  tell(&looked);
  finish(t);
  return 0;
}
