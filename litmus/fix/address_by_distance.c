/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=B1
 * expect: flush at=B1
 * allow: fence
 * after-fix: clean
 * END */
/* A copy in ordinary memory stands at a fixed distance from the persistent original, and addresses are computed from one to the other as numbers: what comes
 * out is persistent memory, though the pointer that went in is not. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };
static uintptr_t distance;

__attribute__((noinline)) static uint64_t *original(const uint64_t *copy) { return (uint64_t *)((uintptr_t)copy + distance); }

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  struct pool *copy = calloc(1, sizeof *copy);
  if (copy == NULL) return 2;
  distance = (uintptr_t)pool - (uintptr_t)copy;
  copy->x = 1;
  *original(&copy->x) = copy->x; //@A1
  copy->y = 2;
  *original(&copy->y) = copy->y; //@B1
  return 0;
}
