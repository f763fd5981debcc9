/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-fence store=S2
 * END */
/* A thread ends the program with _exit: what it and others left unpersisted is judged. */
#include "litmus.h"
#include <sys/syscall.h>

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };
static struct pool *pm;

static void *ender(void *a) {
  pm->y = 1; //@S2
  pm_flush(&pm->y);
  _exit(0);
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pm->x = 1; //@S1
  pthread_t t;
  start(&t, ender, NULL);
  for (;;) pause();
}
