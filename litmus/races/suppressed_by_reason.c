/* LITMUS
 * command: run
 * options: --suppress suppressed_by_reason.toml
 * END */
/* The race of persist_after_unlock, which the project has suppressed, with a reason: it is not reported and does not
 * count. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note looked;

static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  pm->x = 1; //@S1
  pthread_mutex_unlock(&a);
  await(&looked);
  pm_persist(&pm->x, sizeof pm->x);
  return arg;
}

static uint64_t get(void) {
  pthread_mutex_lock(&a);
  uint64_t v = pm->x; //@L1
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
