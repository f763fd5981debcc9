/* LITMUS
 * command: run
 * END */
/* An optimistic lock in persistent memory whose byte also holds a flag, set and cleared beside the lock, and a version of three bits, which
 * starts again from 0 soon. x is persisted inside. */
#include "litmus.h"

enum { LOCKED = 1, VERSION = 0x0f, OWNED = 0x80 };
struct pool { _Alignas(LINE) uint8_t lock; _Alignas(LINE) uint64_t x; };
static struct pool *pm;

static void lock(void) {
  for (;;) {
    uint8_t seen = __atomic_load_n(&pm->lock, __ATOMIC_SEQ_CST);
    uint8_t taken = seen | LOCKED;
    if (seen != taken && __atomic_compare_exchange_n(&pm->lock, &seen, taken, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
    pause_ms(1);
  }
}
static void unlock(void) {
  uint8_t seen = __atomic_load_n(&pm->lock, __ATOMIC_SEQ_CST);
  __atomic_store_n(&pm->lock, ((seen + 1) & VERSION) | (seen & OWNED), __ATOMIC_RELEASE);
}

static void add(void) {
  lock();
  pm->x++; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  unlock();
}
static uint64_t get(void) {
  lock();
  uint64_t v = pm->x; //@L1
  unlock();
  return v;
}

static void *writer(void *arg) {
  for (int i = 0; i < 20; i++) add();
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  for (int i = 0; i < 10; i++) add();
  __atomic_fetch_or(&pm->lock, OWNED, __ATOMIC_SEQ_CST);
  add();
  __atomic_fetch_and(&pm->lock, ~OWNED, __ATOMIC_SEQ_CST);
  pthread_t t;
  start(&t, writer, NULL);
  while (get() < 31) pause_ms(1);
  finish(t);
  return 0;
}
