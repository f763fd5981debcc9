/* LITMUS
 * command: run
 * libs: -lpmem
 * expect: redundant-fence persist=P1
 * END */
/* libpmem: the second of two drains has nothing to wait for. */
#include "litmus.h"
#include <libpmem.h>

struct pool { _Alignas(LINE) uint64_t x; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  size_t length;
  int is_pmem;
  struct pool *pm = pmem_map_file(argv[1], 4096, PMEM_FILE_CREATE, 0600, &length, &is_pmem);
  if (pm == NULL) { perror(argv[1]); return 9; }
  pm->x = 1;
  pmem_flush(&pm->x, sizeof pm->x);
  pmem_drain();
  pmem_drain(); //@P1
  pmem_unmap(pm, length);
  return 0;
}
