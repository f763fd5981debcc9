/* LITMUS
 * command: run
 * expect: redundant-fence persist=P1
 * END */
/* Two threads flush the same line; the first fence of either suffices. The second flush is not needless (pending for the
 * other only); * the fence of the thread that comes last is. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note flushed, fenced;

static void *other(void *arg) {
  pm->x = 1;
  pm_flush(&pm->x);
  tell(&flushed);
  await(&fenced);
  pm_fence(); //@P1
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, other, NULL);
  await(&flushed);
  pm_flush(&pm->x);
  pm_fence();
  tell(&fenced);
  finish(t);
  return 0;
}
