/* LITMUS
 * command: crash
 * options: --images all
 * recover: {prog} {pm} recover
 * args: write
 * expect: cross-failure-race store=S1 load=L1
 * expect: recovery-failure
 * END */
/* Non-temporal stores, and the flag without a fence between: all are persistent at the same fence at last. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t flag; _Alignas(LINE) uint64_t data[8]; };
static struct pool *pm;

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_COMMIT_VAR(&pm->flag, sizeof pm->flag);
  if (strcmp(argv[2], "recover") == 0) {
    if (!pm->flag) return 0;
    for (int i = 0; i < 8; i++) if (pm->data[i] != (uint64_t)i + 1) return 3; //@L1
    return 0;
  }
  for (int i = 0; i < 8; i++) _mm_stream_si64((long long *)&pm->data[i], i + 1); //@S1
  pm->flag = 1;
  pm_persist(&pm->flag, sizeof pm->flag);
  return 0;
}
