/* LITMUS
 * command: run
 * END */
/* Locks inside the pool. Their initialisation stores there: flushing them is not needless. Not flushing them is no bug
 * either, for what becomes of a lock in a crash is another matter. */
#include "litmus.h"
#include <semaphore.h>

struct pool {
  _Alignas(LINE) pthread_mutex_t mutex;
  _Alignas(LINE) pthread_cond_t condition;
  _Alignas(LINE) sem_t semaphore;
  _Alignas(LINE) pthread_rwlock_t never_flushed;
};

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pthread_mutex_init(&pm->mutex, NULL);
  pm_flush(&pm->mutex);
  pthread_cond_init(&pm->condition, NULL);
  pm_flush(&pm->condition);
  sem_init(&pm->semaphore, 0, 1);
  pm_flush(&pm->semaphore);
  pm_fence();
  pthread_rwlock_init(&pm->never_flushed, NULL);
  return 0;
}
