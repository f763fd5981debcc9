/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=C1
 * expect: flush at=A2
 * allow: fence
 * after-fix: clean
 * END */
/* Who is called through a pointer is not known, and neither is what it does: what is stored before must be persistent
 * before the call. The function that is called cannot know its callers, and leaves everything persistent. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

static void set_y(struct pool *p) {
  p->y = 2; //@A2
}

static void (*volatile action)(struct pool *) = set_y;

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  pool->x = 1; //@A1
  action(pool); //@C1
  return 0;
}
