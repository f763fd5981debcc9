/* LITMUS
 * command: run
 * expect: missing-fence store=S1
 * END */
/* movnti in inline assembly is a non-temporal store. The first one gets its fence, the second does not. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  __asm__ volatile("movnti %1, %0" : "=m"(pm->x) : "r"((uint64_t)1));
  pm_fence();
  __asm__ volatile("movnti %1, %0" : "=m"(pm->y) : "r"((uint64_t)2)); //@S1
  return 0;
}
