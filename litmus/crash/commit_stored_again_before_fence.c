/* LITMUS
 * command: crash
 * options: --images persisted
 * recover: {prog} {pm} recover
 * args: write
 * END */
/* The commit variable is stored again after its flush and before the fence. The fence makes the first of the two values persistent, and with it
 * the first version of the data is committed; the second version, which is on its way, is not in that image. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t version; uint64_t stamp; _Alignas(LINE) uint64_t data[2]; };
static struct pool *pm;

static void declare(void) {
  PERDURE_COMMIT_VAR(&pm->version, sizeof pm->version);
  PERDURE_COMMIT_RANGE(&pm->version, pm->data, sizeof pm->data);
}

static void advance(void) {
  pm->data[1] = 10;
  pm_persist(&pm->data[1], sizeof pm->data[1]);
  pm->stamp = 7;
  pm->version = 1;
  pm_flush(&pm->version);
  pm->version = 2;
  pm_fence();
  PERDURE_FAILURE_POINT();
  PERDURE_SKIP_FAILURES_BEGIN();
  pm_persist(&pm->version, sizeof pm->version);
}

static void recover(void) {
  uint64_t version = pm->version, data = 0;
  if (version == 1) data = pm->data[1];
  printf("version %d, data %d\n", (int)version, (int)data);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  declare();
  if (strcmp(argv[2], "recover") == 0) recover();
  else advance();
  return 0;
}
