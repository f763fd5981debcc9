/* LITMUS
 * command: run
 * END */
/* The reader tries the semaphore until it succeeds. x was persisted before the post, which the successful try orders
 * before the load. */
#include "litmus.h"
#include <semaphore.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static sem_t full;

static void *writer(void *arg) {
  pm->x = 1;
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
  while (sem_trywait(&full) != 0) pause_ms(2);
  keep(pm->x);
  finish(t);
  return 0;
}
