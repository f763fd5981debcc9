/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover
 * args: write
 * END */
/* An undo log by hand, correct: old values are logged and persisted, then the log is made valid, then the data is
 * changed in place and persisted, then the log is invalidated. Recovery undoes what a valid log describes. The data words are
 * read only after recovery has written them, or when the log is invalid. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t valid; _Alignas(LINE) uint64_t old[2]; _Alignas(LINE) uint64_t data[2]; };
static struct pool *pm;

static void update(uint64_t a, uint64_t b) {
  pm->old[0] = pm->data[0];
  pm->old[1] = pm->data[1];
  pm_persist(pm->old, sizeof pm->old);
  pm->valid = 1;
  pm_persist(&pm->valid, sizeof pm->valid);
  pm->data[0] = a;
  pm->data[1] = b;
  pm_persist(pm->data, sizeof pm->data);
  pm->valid = 0;
  pm_persist(&pm->valid, sizeof pm->valid);
}

static int recover(void) {
  if (pm->valid) {
    pm->data[0] = pm->old[0];
    pm->data[1] = pm->old[1];
    pm_persist(pm->data, sizeof pm->data);
    pm->valid = 0;
    pm_persist(&pm->valid, sizeof pm->valid);
  }
  return pm->data[0] * 2 == pm->data[1] ? 0 : 5;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_COMMIT_VAR(&pm->valid, sizeof pm->valid);
  PERDURE_COMMIT_RANGE(&pm->valid, pm->old, sizeof pm->old);
  if (strcmp(argv[2], "recover") == 0) return recover();
  update(1, 2);
  update(3, 6);
  return 0;
}
