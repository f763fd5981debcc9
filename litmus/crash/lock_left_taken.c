/* LITMUS
 * command: crash
 * options: --timeout 2s
 * recover: {prog} {pm} recover
 * args: write
 * expect: sync-inconsistency store=S1
 * expect: recovery-failure
 * END */
/* A spin lock lies in persistent memory. Nothing says that it is one: it is known by how it is used. A failure while it is held leaves it
 * taken, and the first operation after the restart waits for it forever. */
#include "litmus.h"
#include <stdatomic.h>

struct pool { _Alignas(LINE) atomic_ulong lock; _Alignas(LINE) uint64_t data; };
static struct pool *pm;

static void lock(void) {
  unsigned long free = 0;
  while (!atomic_compare_exchange_strong(&pm->lock, &free, 1)) free = 0; //@S1
}
static void unlock(void) { atomic_store_explicit(&pm->lock, 0, memory_order_release); }

static void update(void) {
  lock();
  pm->data++;
  pm_persist(pm, sizeof *pm);
  unlock();
  pm_persist(&pm->lock, sizeof pm->lock);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  if (strcmp(argv[2], "recover") == 0) {
    lock();
    unlock();
  } else {
    update();
    update();
  }
  return 0;
}
