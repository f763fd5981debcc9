/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* The reader tries the semaphore, fails, and reads anyway. Only a successful try orders anything. */
#include "litmus.h"
#include <semaphore.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static sem_t full;
static note stored, looked;

static void *writer(void *arg) {
  pm->x = 1; //@S1
  tell(&stored);
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
  sem_post(&full);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  sem_init(&full, 0, 0);
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  if (sem_trywait(&full) == 0) return 9;
  keep(pm->x); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
