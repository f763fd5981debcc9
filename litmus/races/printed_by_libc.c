/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* The reader prints a text of the pool that is not persisted yet: printf reads it, up to its end. */
#include "litmus.h"

struct pool { _Alignas(LINE) char name[32]; };
static struct pool *pm;
static note named, looked;

static void *writer(void *arg) {
  strcpy(pm->name, arg); //@S1
  tell(&named);
  await(&looked);
  pm_persist(pm->name, sizeof pm->name);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  keep((uint64_t)pm->name[0]);
  pthread_t t;
  start(&t, writer, argv[0]);
  await(&named);
  fprintf(stderr, "%3d: %.5s of %s\n", 7, argv[0], pm->name); //@L1
  tell(&looked);
  finish(t);
  return 0;
}
