/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=proven level<=proven evidence=happens-before
 * END */
/* A sequence lock: the reader looks without a lock and throws the value away if the counter has moved. The writer
 * persists inside its section, but nothing orders the reader's first look before the store: by the definition they
 * race. (A reader that knows this says so: seqlock_relaxed_reader.) */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static unsigned sequence; /* in ordinary memory; odd while a writer is at work */
static note looked;

static void *writer(void *arg) {
  await(&looked);
  __atomic_fetch_add(&sequence, 1, __ATOMIC_ACQ_REL);
  pm->x = 1; //@S1
  pm_persist(&pm->x, sizeof pm->x);
  __atomic_fetch_add(&sequence, 1, __ATOMIC_RELEASE);
  return arg;
}

static uint64_t get(void) {
  for (;;) {
    unsigned before = __atomic_load_n(&sequence, __ATOMIC_ACQUIRE);
    uint64_t v = pm->x; //@L1
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (before % 2 == 0 && __atomic_load_n(&sequence, __ATOMIC_RELAXED) == before) return v;
    pause_ms(1);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  keep(get());
  tell(&looked);
  while (__atomic_load_n(&sequence, __ATOMIC_ACQUIRE) != 2) pause_ms(2);
  keep(get());
  finish(t);
  return 0;
}
