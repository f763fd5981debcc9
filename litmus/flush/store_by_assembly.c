/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* A plain mov in inline assembly stores to persistent memory: the output operand tells. It is never flushed; the one
 * before it is. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  __asm__ volatile("movq %1, %0" : "=m"(pm->x) : "r"((uint64_t)1));
  pm_persist(&pm->x, sizeof pm->x);
  __asm__ volatile("movq %1, %0" : "=m"(pm->y) : "r"((uint64_t)2)); //@S1
  return 0;
}
