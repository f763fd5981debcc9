/* LITMUS
 * command: run
 * END */
/* Publication as with RCU: each version of a record is a block of its own, filled and persisted before a pointer in ordinary
 * memory is swung to it by a release store. Readers follow it without a lock. An old block is used again when the
 * reader has said that it is through with it. */
#include "litmus.h"
#include <perdure.h>

struct version { _Alignas(LINE) uint64_t a, b; };
static struct version *pm;
static struct version *current;
static uint64_t seen;

static void *writer(void *arg) {
  for (uint64_t i = 1; i <= 8; i++) {
    struct version *v = &pm[i % 2];
    PERDURE_ALLOC(v, sizeof *v);
    v->a = i;
    v->b = ~i;
    pm_persist(v, sizeof *v);
    struct version *old = __atomic_exchange_n(&current, v, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&seen, __ATOMIC_ACQUIRE) < i) pause_ms(1);
    if (old) PERDURE_FREE(old);
  }
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 2 * sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  for (uint64_t got = 0; got < 8;) {
    struct version *v = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    if (v) {
      if (v->a != ~v->b) return 8;
      got = v->a;
      __atomic_store_n(&seen, got, __ATOMIC_RELEASE);
    }
    pause_ms(1);
  }
  finish(t);
  return 0;
}
