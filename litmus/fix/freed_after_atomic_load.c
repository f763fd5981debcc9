/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=L1
 * expect: fence before=B1
 * expect: flush at=B1
 * allow: flush
 * allow: fence
 * after-fix: clean
 * END */
/* An object that may lie in persistent memory is read atomically and given back, which unmaps its pages: its line cannot be flushed any more when the store
 * behind needs what was read. */
#include "litmus.h"

struct object { _Alignas(LINE) uint64_t v; };
struct pool { struct object object; _Alignas(LINE) uint64_t y; };
enum { LARGE = 1 << 22 };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  struct object *object = argc > 2 ? &pool->object : calloc(1, LARGE);
  if (object == NULL) return 2;
  uint64_t v = __atomic_load_n(&object->v, __ATOMIC_ACQUIRE); //@L1
  if (argc == 2) free(object);
  pool->y = v + 1; //@B1
  return 0;
}
