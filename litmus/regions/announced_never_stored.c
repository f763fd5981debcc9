/* LITMUS
 * command: run
 * options: --detect regions --starts static
 * END */
/* A store is announced at the beginning of its function, which is then left by longjmp: the store is never made. Another thread loads
 * meanwhile. A region that surrounds no access is none. */
#include "litmus.h"
#include <setjmp.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note announced, looked;
static jmp_buf out;

__attribute__((noinline)) static void leave(int now) {
  if (now) longjmp(out, 1);
}

__attribute__((noinline)) static void put(uint64_t *x, int now) {
  tell(&announced);
  leave(now);
  *x = 1;
  pm_persist(x, sizeof *x);
}

static void *writer(void *arg) {
  if (setjmp(out) == 0) put(&pm->x, arg != NULL);
  await(&looked);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, pm);
  await(&announced);
  keep(pm->x);
  tell(&looked);
  finish(t);
  return 0;
}
