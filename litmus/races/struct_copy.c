/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* A whole struct is assigned: one store over all of its bytes, at the line of the assignment. The reader looks at a
 * field in its middle. */
#include "litmus.h"

struct record { uint64_t key, value, stamp; };
struct pool { _Alignas(LINE) struct record r; };
static struct record fresh = {7, 70, 700};
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note looked;

static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  pm->r = fresh; //@S1
  pthread_mutex_unlock(&a);
  await(&looked);
  pm_persist(&pm->r, sizeof pm->r);
  return arg;
}

static uint64_t get(void) {
  pthread_mutex_lock(&a);
  uint64_t v = pm->r.value; //@L1
  pthread_mutex_unlock(&a);
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
