/* LITMUS
 * command: run
 * expect: persistency-race store=S2 load=L1 level>=observed evidence=happens-before
 * forbid: persistency-race store=S1
 * END */
/* Publication as with RCU, with the pointer in persistent memory: the record is persisted before it is published, the pointer
 * only after readers may have followed it. */
#include "litmus.h"

struct version { _Alignas(LINE) uint64_t a; };
struct pool { _Alignas(LINE) struct version *current; struct version v[2]; };
static struct pool *pm;
static note looked;

static void *writer(void *arg) {
  pm->v[1].a = 7; //@S1
  pm_persist(&pm->v[1], sizeof pm->v[1]);
  __atomic_store_n(&pm->current, &pm->v[1], __ATOMIC_RELEASE); //@S2
  await(&looked);
  pm_persist(&pm->current, sizeof pm->current);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  struct version *v;
  while (!(v = __atomic_load_n(&pm->current, __ATOMIC_ACQUIRE))) pause_ms(1); //@L1
  keep(v->a);
  tell(&looked);
  finish(t);
  return 0;
}
