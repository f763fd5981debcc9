/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * allow: fence
 * after-fix: clean
 * END */
/* The program flushes a range line by line, but from a start that need not be the start of a line: the loop may end before the last
 * line. Its flushes do not count for what was stored there. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t word[24]; _Alignas(LINE) uint64_t done; };

static void store_and_flush(uint64_t *first, uint64_t value) {
  first[15] = value; //@A1
  for (char *c = (char *)first; c < (char *)&first[16]; c += LINE) pm_flush(c);
  pm_fence();
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  store_and_flush(&pool->word[5], 7);
  pool->done = 1;
  pm_flush(&pool->done);
  pm_fence();
  return 0;
}
