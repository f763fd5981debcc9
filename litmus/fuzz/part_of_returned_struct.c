/* LITMUS
 * command: run
 * options: --detect taint
 * expect: intra-thread-inconsistency store=S1 load=L1 effect=E1
 * END */
/* A function returns a small structure by value, in registers: one part depends on unpersisted data, the other does not. What is made durable of the
 * first depends on it, what is made durable of the second does not. */
#include "litmus.h"

struct slot { _Alignas(LINE) volatile uint64_t number; };
struct pool { struct slot from, first, second; };
struct pair { uint64_t a, b; };
static struct pool *pm;

__attribute__((noinline)) static struct pair pair_of(uint64_t a, uint64_t b) {
  return (struct pair){a + 1, b + 1};
}

__attribute__((noinline)) static struct pair swapped(struct pair p) { return (struct pair){p.b, p.a}; }

static void save(struct slot *slot, uint64_t number) {
  slot->number = number;
  pm_persist(slot, sizeof *slot);
}

int main(int argc, char **argv) {
  (void)argc;
  pm = pm_map(argv[1], sizeof *pm);
  pm->from.number = 42; //@S1
  struct pair pair = swapped(pair_of(pm->from.number, 7)); //@L1
  save(&pm->first, pair.a);
  pm->second.number = pair.b; //@E1
  pm_persist(&pm->second, sizeof(struct slot));
  pm_persist(&pm->from, sizeof(struct slot));
  return 0;
}
