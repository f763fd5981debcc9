/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=T1
 * expect: flush at=C1
 * expect: flush at=C2
 * expect: fence before=C2
 * allow: fence
 * after-fix: clean
 * END */
/* A function stores and throws. Who catches the exception knows nothing of the store: it is persistent before the exception leaves, and what is stored behind the
 * catch is looked after as well, although the call never comes back in the ordinary way. */
#include "litmus.h"

struct Pool { alignas(LINE) uint64_t x; alignas(LINE) uint64_t y; alignas(LINE) uint64_t z; };
static Pool *pool;

[[noreturn]] __attribute__((noinline)) static void fail(uint64_t v) {
  pool->x = v; //@A1
  throw v; //@T1
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = static_cast<Pool *>(pm_map(argv[1], sizeof *pool));
  try {
    fail(7);
  } catch (uint64_t v) {
    pool->y = v; //@C1
    pool->z = 1; //@C2
  }
  return 0;
}
