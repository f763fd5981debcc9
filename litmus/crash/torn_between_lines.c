/* LITMUS
 * command: crash
 * options: --images all
 * recover: {prog} {pm} recover
 * args: write
 * allow: cross-failure-race
 * expect: recovery-failure
 * END */
/* An eight-byte store across two lines is torn. */
#include "litmus.h"

static char *pm;

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], 4096);
  volatile uint64_t *w = (uint64_t *)(pm + 60);
  if (!strcmp(argv[2], "recover")) {
    uint64_t v = *w;
    return v == 0 || v == 0x1111111111111111 ? 0 : 5;
  }
  *w = 0x1111111111111111;
  pm_persist(pm + 60, 8);
  return 0;
}
