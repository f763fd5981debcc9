/* LITMUS
 * command: fix
 * options: --mode opt
 * END */
/* The flush is written as the bytes of clwb, and the fence in a function of its own. Both count: nothing is inserted. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };

static void persist(uint64_t *x) {
  __asm__ volatile(".byte 0x66; xsaveopt %0" : "+m"(*(volatile char *)x) : : "memory");
  pm_fence();
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pool = pm_map(argv[1], sizeof *pool);
  pool->x = 1;
  persist(&pool->x);
  return 0;
}
