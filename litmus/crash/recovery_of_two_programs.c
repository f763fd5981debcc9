/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover && {prog} {pm} check
 * args: write
 * expect: recovery-failure
 * allow: cross-failure-race
 * END */
/* Recovery is a command of two programs, one after the other. The first one repairs the count, the second one finds
 * that the sum was forgotten. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t count; _Alignas(LINE) uint64_t item[4]; _Alignas(LINE) uint64_t sum; };

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  if (strcmp(argv[2], "recover") == 0) {
    uint64_t n = 0;
    while (n < 4 && pm->item[n] != 0) n++;
    pm->count = n;
    pm_persist(&pm->count, sizeof pm->count);
    return 0;
  }
  if (strcmp(argv[2], "check") == 0) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < pm->count; i++) sum += pm->item[i];
    return sum == pm->sum ? 0 : 7;
  }
  for (uint64_t i = 0; i < 3; i++) {
    pm->item[i] = i + 1;
    pm_persist(&pm->item[i], sizeof(uint64_t));
    pm->sum += i + 1;
    pm_persist(&pm->sum, sizeof pm->sum);
    pm->count = i + 1;
    pm_persist(&pm->count, sizeof pm->count);
  }
  return 0;
}
