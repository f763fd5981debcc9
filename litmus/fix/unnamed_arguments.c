/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=A2
 * expect: flush at=A2
 * allow: fence
 * after-fix: clean
 * END */
/* The words that a function stores to are passed without a name. They are persistent memory all the same. */
#include "litmus.h"
#include <stdarg.h>

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; _Alignas(LINE) uint64_t done; };

static void set_all(uint64_t value, int count, ...) {
  va_list words;
  va_start(words, count);
  for (int i = 0; i < count; i++) *va_arg(words, uint64_t *) = value; //@A1
  va_end(words);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  set_all(7, 2, &pool->x, &pool->y);
  pool->done = 1; //@A2
  return 0;
}
