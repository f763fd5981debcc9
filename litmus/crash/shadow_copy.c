/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover
 * args: write
 * END */
/* Shadow copy: the new version is written beside the old one and persisted, then the index of the current one is switched
 * by a store of eight bytes. Four updates alternate; recovery reads the current version only. */
#include "litmus.h"
#include <perdure.h>

struct version { _Alignas(LINE) uint64_t field[8]; };
struct pool { _Alignas(LINE) uint64_t current; struct version version[2]; };
static struct pool *pm;

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_COMMIT_VAR(&pm->current, sizeof pm->current);
  if (strcmp(argv[2], "recover") == 0) {
    uint64_t current = pm->current;
    const struct version *v = &pm->version[current % 2];
    if (current == 0) return 0;
    for (int i = 0; i < 8; i++) if (v->field[i] != current) return 3;
    return 0;
  }
  for (uint64_t n = 1; n <= 4; n++) {
    struct version *v = &pm->version[n % 2];
    for (int i = 0; i < 8; i++) v->field[i] = n;
    pm_persist(v, sizeof *v);
    pm->current = n;
    pm_persist(&pm->current, sizeof pm->current);
  }
  return 0;
}
