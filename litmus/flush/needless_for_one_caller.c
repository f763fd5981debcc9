/* LITMUS
 * command: run
 * expect: redundant-flush persist=P1
 * expect: redundant-fence persist=P2
 * END */
/* A shared helper persists a line for two callers. One of them never has anything to persist: its calls are needless,
 * although the same flush and fence serve the other one. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };

__attribute__((noinline)) static void persist(void *p) {
  pm_flush(p); //@P1
  pm_fence(); //@P2
}

__attribute__((noinline)) static void update(struct pool *pm, uint64_t v) {
  pm->x = v;
  persist(pm);
  __asm__ volatile("");
}

__attribute__((noinline)) static void look(struct pool *pm) {
  keep(pm->x);
  persist(pm);
  __asm__ volatile("");
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  for (uint64_t i = 1; i <= 3; i++) {
    update(pm, i);
    look(pm);
  }
  return 0;
}
