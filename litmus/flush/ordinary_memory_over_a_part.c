/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * END */
/* Ordinary memory takes the place of a page in the middle of a pool, as guard pages and overlays do: what is stored there is no
 * matter of persistence. The pages around it are persistent memory as before. */
#include "litmus.h"

struct block { char bytes[48]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 3 * 4096);
  void *over = mmap(pm + 4096, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (over != pm + 4096) return 9;
  volatile uint64_t *words = over;
  volatile char *bytes = over;
  words[0] = (uint64_t)argc;
  bytes[100] = 3;
  memset((char *)over + 512, argc, 64);
  struct block b;
  memset(&b, argc, sizeof b);
  *(struct block *)((char *)over + 1024) = b;
  keep(words[0]);
  volatile uint64_t *before = (volatile uint64_t *)pm, *after = (volatile uint64_t *)(pm + 2 * 4096);
  *before = 1; //@S1
  *after = 2;
  pm_persist(pm + 2 * 4096, 8);
  return 0;
}
