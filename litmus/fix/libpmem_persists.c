/* LITMUS
 * command: fix
 * options: --mode opt
 * libs: -lpmem
 * expect: flush at=A2
 * expect: fence before=R1
 * allow: fence
 * END */
/* libpmem maps the pool and persists the first word; its copy persists by itself. Only the last store is forgotten. */
#include "litmus.h"
#include <libpmem.h>

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) char text[LINE]; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pmem_map_file(argv[1], sizeof *pool, PMEM_FILE_CREATE, 0600, NULL, NULL);
  if (pool == NULL) return 9;
  pool->x = 1;
  pmem_persist(&pool->x, sizeof pool->x);
  pmem_memcpy_persist(pool->text, "hello", 6);
  pool->y = 2; //@A2
  return 0; //@R1
}
