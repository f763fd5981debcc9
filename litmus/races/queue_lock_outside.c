/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before,observed-read
 * END */
/* A queue lock (MCS): each waiter looks at a word of its own, which the one before it sets. x is persisted after it. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note looked;
struct waiter { struct waiter *next; int waits; };
static struct waiter *last;

static void take(struct waiter *me) {
  me->next = NULL;
  me->waits = 1;
  struct waiter *before = __atomic_exchange_n(&last, me, __ATOMIC_ACQ_REL);
  if (before == NULL) return;
  __atomic_store_n(&before->next, me, __ATOMIC_RELEASE);
  while (__atomic_load_n(&me->waits, __ATOMIC_ACQUIRE)) pause_ms(1);
}
static void give(struct waiter *me) {
  struct waiter *expected = me;
  if (__atomic_compare_exchange_n(&last, &expected, NULL, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return;
  struct waiter *next;
  while ((next = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE)) == NULL) pause_ms(1);
  __atomic_store_n(&next->waits, 0, __ATOMIC_RELEASE);
}
static __thread struct waiter me;
static void lock(void) { take(&me); }
static void unlock(void) { give(&me); }

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
  keep(get());
  pthread_t t;
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  tell(&looked);
  finish(t);
  return 0;
}
