/* LITMUS
 * command: run
 * END */
/* An optimistic lock in persistent memory, as in Masstree: who has changed something under it frees it by an addition that counts a
 * version, who has not sets it back as it was. One thread only counts. x is persisted inside. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t version; _Alignas(LINE) uint64_t x; };
static struct pool *pm;

static void lock(void) {
  for (;;) {
    uint64_t seen = __atomic_load_n(&pm->version, __ATOMIC_SEQ_CST);
    if ((seen & 2) == 0 && __atomic_compare_exchange_n(&pm->version, &seen, seen + 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
    pause_ms(1);
  }
}
static void unlock_changed(void) { __atomic_fetch_add(&pm->version, 2, __ATOMIC_SEQ_CST); }
static void unlock_unchanged(void) { __atomic_fetch_sub(&pm->version, 2, __ATOMIC_SEQ_CST); }

static void *writer(void *arg) {
  for (int i = 0; i < 3; i++) {
    lock();
    pm->x++; //@S1
    pm_persist(&pm->x, sizeof pm->x);
    unlock_changed();
  }
  return arg;
}

static uint64_t get(void) {
  lock();
  uint64_t v = pm->x; //@L1
  unlock_unchanged();
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  get();
  pthread_t t;
  start(&t, writer, NULL);
  while (get() < 3) pause_ms(2);
  finish(t);
  return 0;
}
