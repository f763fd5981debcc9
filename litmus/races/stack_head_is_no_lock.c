/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* The head of a lock-free stack in persistent memory changes by compare-and-swap, from empty and back to empty. It is
 * no lock: nobody frees it by a store, and it is swapped again while it is not empty. Nodes are persisted before they
 * are pushed, the head is not before it is read. */
#include "litmus.h"

struct node { _Alignas(LINE) uint64_t next; };
struct pool { _Alignas(LINE) uint64_t head; struct node node[3]; };
static struct pool *pm;
static note looked;

static void push(uint64_t n) {
  uint64_t old = 0;
  do {
    pm->node[n].next = old;
    pm_persist(&pm->node[n], sizeof pm->node[n]);
  } while (!__atomic_compare_exchange_n(&pm->head, &old, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)); //@S1
}

static uint64_t pop(void) {
  uint64_t top = __atomic_load_n(&pm->head, __ATOMIC_ACQUIRE);
  while (top != 0 && !__atomic_compare_exchange_n(&pm->head, &top, pm->node[top].next, 0, __ATOMIC_ACQ_REL,
                                                  __ATOMIC_ACQUIRE)) continue;
  return top;
}

static void *writer(void *arg) {
  push(1);
  await(&looked);
  push(2);
  pm_persist(&pm->head, sizeof pm->head);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  uint64_t h;
  while ((h = __atomic_load_n(&pm->head, __ATOMIC_ACQUIRE)) == 0) pause_ms(2); //@L1
  keep(pm->node[h].next);
  tell(&looked);
  finish(t);
  while (pop() != 0) continue;
  pm_persist(&pm->head, sizeof pm->head);
  return 0;
}
