/* LITMUS
 * command: crash
 * recover: {prog} {pm} recover
 * args: write
 * END */
/* The pool is made by the program itself; the magic number is written last. Recovery without a magic number starts anew. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t magic; _Alignas(LINE) uint64_t version; uint64_t buckets; };
static struct pool *pm;

static void format(void) {
  pm->version = 3;
  pm->buckets = 16;
  pm_persist(&pm->version, 2 * sizeof(uint64_t));
  pm->magic = 0x50455244;
  pm_persist(&pm->magic, sizeof pm->magic);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  PERDURE_COMMIT_VAR(&pm->magic, sizeof pm->magic);
  if (strcmp(argv[2], "recover") == 0) {
    if (pm->magic != 0x50455244) format();
    return pm->version == 3 && pm->buckets == 16 ? 0 : 3;
  }
  format();
  return 0;
}
