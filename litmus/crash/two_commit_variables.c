/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover
 * args: write
 * expect: cross-failure-semantic store=S2 load=L2
 * expect: cross-failure-race store=S2 load=L2
 * END */
/* Two commit variables with a range each. The first is used well: its item is read only if committed last. The second is
 * written before its item. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t va; _Alignas(LINE) uint64_t a; _Alignas(LINE) uint64_t vb; _Alignas(LINE) uint64_t b; };
static struct pool *pm;

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_COMMIT_VAR(&pm->va, 8);
  PERDURE_COMMIT_RANGE(&pm->va, &pm->a, 8);
  PERDURE_COMMIT_VAR(&pm->vb, 8);
  PERDURE_COMMIT_RANGE(&pm->vb, &pm->b, 8);
  if (!strcmp(argv[2], "recover")) {
    if (pm->va) keep(pm->a);
    if (pm->vb) keep(pm->b); //@L2
    return 0;
  }
  pm->a = 1;
  pm_persist(&pm->a, 8);
  pm->va = 1;
  pm_persist(&pm->va, 8);
  pm->vb = 1;
  pm_persist(&pm->vb, 8);
  pm->b = 1; //@S2
  pm_persist(&pm->b, 8);
  return 0;
}
