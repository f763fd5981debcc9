/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover
 * args: write
 * expect: cross-failure-race store=S1 load=L2
 * END */
/* Recovery overwrites one word before it reads it and half of the other. */
#include "litmus.h"

struct pool { _Alignas(LINE) volatile uint64_t a; _Alignas(LINE) volatile uint32_t b[2]; };
static struct pool *pm;

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  if (!strcmp(argv[2], "recover")) {
    pm->a = 5;
    keep(pm->a);
    pm->b[0] = 7;
    keep(*(volatile uint64_t *)pm->b); //@L2
    return 0;
  }
  pm->a = 1;
  *(volatile uint64_t *)pm->b = 0x100000001; //@S1
  pm_persist((void *)pm, sizeof *pm);
  return 0;
}
