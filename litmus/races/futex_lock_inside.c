/* LITMUS
 * command: run
 * END */
/* A lock over a futex word: taken by compare-and-swap or exchange, freed by exchange. x is persisted inside. */
#include "litmus.h"
#include <linux/futex.h>
#include <sys/syscall.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;

static int word; /* 0 free, 1 taken, 2 taken and somebody waits */

static void lock(void) {
  int seen = 0;
  if (__atomic_compare_exchange_n(&word, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) return;
  while (__atomic_exchange_n(&word, 2, __ATOMIC_ACQUIRE) != 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}
static void unlock(void) {
  if (__atomic_exchange_n(&word, 0, __ATOMIC_RELEASE) == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *writer(void *arg) {
  lock();
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  unlock();
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
  keep(get());
  pthread_t t;
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  finish(t);
  return 0;
}
