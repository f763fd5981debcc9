/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* A mapping moves while two of its words are dirty. One of them is persisted at its new place; the other never is. */
#include "litmus.h"

enum { PAGE = 4096 };
struct pool { _Alignas(LINE) uint64_t x; _Alignas(LINE) uint64_t y; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], PAGE);
  pm->x = 1; //@S1
  pm->y = 2;
  void *room = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct pool *moved = mremap(pm, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, room);
  if (moved == MAP_FAILED) return 9;
  pm_persist(&moved->y, sizeof moved->y);
  return 0;
}
