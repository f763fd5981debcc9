/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover
 * args: write
 * expect: cross-failure-race store=S1 load=L1
 * END */
/* A program that knows nothing of caches: mmap and msync. The page of the header is synced before that of the record. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(4096) uint64_t records; _Alignas(4096) uint64_t record[8]; };
static struct pool *pm;

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_COMMIT_VAR(&pm->records, sizeof pm->records);
  PERDURE_COMMIT_RANGE(&pm->records, pm->record, 1);
  if (strcmp(argv[2], "recover") == 0) {
    if (pm->records > 0) {
      uint64_t last = pm->record[pm->records]; keep(last); //@L1
    }
    return 0;
  }
  for (uint64_t i = 1; i < 4; i++) {
    pm->record[i] = i * 100; //@S1
    pm->records = i;
    msync(&pm->records, 4096, MS_SYNC);
    msync(pm->record, 4096, MS_SYNC);
  }
  return 0;
}
