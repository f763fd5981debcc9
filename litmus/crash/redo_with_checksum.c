/* LITMUS
 * command: crash
 * options: --points stores --images all
 * recover: {prog} {pm} recover
 * args: write
 * END */
/* A redo log entry that carries a checksum: recovery reads bytes that may be torn, on purpose, and believes them only if the
 * sum is right. It says so with a skip block; after that the copied bytes are its own stores. */
#include "litmus.h"
#include <perdure.h>

struct entry { uint64_t key, value, sum; };
struct pool { _Alignas(LINE) struct entry log; _Alignas(LINE) uint64_t table[4]; };
static struct pool *pm;

static uint64_t sum(const struct entry *e) { return (e->key * 31 + e->value) * 0x9e3779b97f4a7c15 ^ 0x5bd1e995; }
static void put(uint64_t key, uint64_t value) {
  struct entry e = {key, value, 0};
  e.sum = sum(&e);
  pm->log = e;
  pm_persist(&pm->log, sizeof pm->log);
  pm->table[key] = value;
  pm_persist(&pm->table[key], sizeof pm->table[key]);
}

static int recover(void) {
  struct entry e;
  PERDURE_SKIP_DETECTION_BEGIN();
  e = pm->log;
  PERDURE_SKIP_DETECTION_END();
  if (e.sum == sum(&e) && e.key < 4) {
    pm->table[e.key] = e.value;
    pm_persist(&pm->table[e.key], sizeof(uint64_t));
  }
  uint64_t total = 0;
  for (int i = 0; i < 4; i++) total += pm->table[i];
  keep(total);
  return total == 0 || total == 7 || total == 7 + 9 ? 0 : 4;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  if (strcmp(argv[2], "recover") == 0) return recover();
  put(1, 7);
  put(3, 9);
  return 0;
}
