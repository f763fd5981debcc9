/* LITMUS
 * command: run
 * END */
/* Posting a semaphore executes a locked instruction, which completes the flush before it. */
#include "litmus.h"
#include <semaphore.h>

static sem_t full;
struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  sem_init(&full, 0, 0);
  pm->x = 1;
  pm_flush(&pm->x);
  sem_post(&full);
  return 0;
}
