/* LITMUS
 * command: fix
 * options: --mode opt
 * libs: -lpmem
 * forbid: flush at=C1
 * forbid: fence before=A1
 * expect: flush at=A1
 * expect: flush at=A2
 * expect: fence before=A2
 * expect: fence before=B1
 * expect: flush at=B1
 * allow: fence
 * after-fix: clean
 * END */
/* The copies of libpmem flush and fence, unless their flags say that they do not: then the copy is a store like any other. Flags that are not known before the program
 * runs may say so. */
#include "litmus.h"
#include <libpmem.h>

struct pool { _Alignas(LINE) char a[LINE]; char b[LINE]; char c[LINE]; _Alignas(LINE) uint64_t done; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pmem_map_file(argv[1], sizeof *pool, PMEM_FILE_CREATE, 0600, NULL, NULL);
  if (pool == NULL) return 9;
  char text[40] = "copied";
  pmem_memcpy(pool->a, text, sizeof text, 0); //@C1
  pmem_memcpy(pool->b, text, sizeof text, PMEM_F_MEM_NOFLUSH); //@A1
  pmem_memset(pool->c, 7, sizeof text, argc > 1 ? PMEM_F_MEM_NOFLUSH : 0); //@A2
  pool->done = 1; //@B1
  return 0;
}
