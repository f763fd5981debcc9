/* LITMUS
 * command: run
 * END */
/* Creating and joining a thread execute locked instructions. They complete the flushes of the thread that creates or
 * joins. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

static void *nothing(void *arg) { return arg; }

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  pm->x = 1;
  pm_flush(&pm->x);
  start(&t, nothing, NULL);
  pm->y = 2;
  pm_flush(&pm->y);
  finish(t);
  return 0;
}
