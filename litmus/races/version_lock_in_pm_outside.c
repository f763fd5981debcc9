/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* The same optimistic lock that counts versions, but x is persisted after the release. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t version; _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note looked;

static void lock(void) {
  for (;;) {
    uint64_t seen = __atomic_load_n(&pm->version, __ATOMIC_SEQ_CST);
    if ((seen & 2) == 0 && __atomic_compare_exchange_n(&pm->version, &seen, seen + 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
    pause_ms(1);
  }
}
static void unlock(void) { __atomic_fetch_add(&pm->version, 2, __ATOMIC_SEQ_CST); }

static void *writer(void *arg) {
  lock();
  pm->x = 1; //@S1
  unlock();
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
  return arg;
}

static uint64_t get(void) {
  lock();
  uint64_t v = pm->x; //@L1
  unlock();
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  for (int i = 0; i < 3; i++) keep(get());
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  tell(&looked);
  finish(t);
  return 0;
}
