/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=A1
 * expect: fence before=A2
 * expect: flush at=A2
 * expect: fence before=R1
 * allow: fence
 * after-fix: clean
 * END */
/* A loop fills an array that others can reach; nobody knows which elements share a cache line before the program runs. Each store
 * has to be persistent before one to another line, also before that of the next round, and the last before what comes behind. */
#include "litmus.h"

struct pool { uint64_t used; uint64_t pad[8]; uint64_t value[40]; };

static void fill(struct pool *p, uint64_t first, uint64_t count) {
  for (uint64_t i = first; i < first + count; i++) p->value[i] = i + 1; //@A1
  p->used = count; //@A2
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  fill(pool, (uint64_t)argc, 30);
  return 0; //@R1
}
