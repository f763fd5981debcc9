/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* A one-byte lock inside a bucket in persistent memory, taken by xchg in inline assembly and freed by a volatile
 * store, as hash tables have it. Its own byte is never flushed and need not be. x is persisted after the lock was
 * freed. */
#include "litmus.h"

struct pool { _Alignas(LINE) volatile unsigned char lock; _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note looked;

static unsigned char swap(volatile unsigned char *p, unsigned char v) {
  __asm__ volatile("xchgb %0, %1" : "+q"(v), "+m"(*p) : : "memory");
  return v;
}
static void lock(void) {
  while (swap(&pm->lock, 1) != 0) pause_ms(1);
}
static void unlock(void) {
  __asm__ volatile("" : : : "memory");
  pm->lock = 0;
}

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
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  tell(&looked);
  finish(t);
  return 0;
}
