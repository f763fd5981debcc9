/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* Ordinary memory that the program declares to be persistent is checked like a mapped pool. One store is persisted,
 * the other is not. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(void) {
  struct pool *pm = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pm == MAP_FAILED) return 9;
  PERDURE_PM(pm, sizeof *pm);
  pm->x = 1; //@S1
  pm->y = 2;
  pm_flush(&pm->y);
  pm_fence();
  return 0;
}
