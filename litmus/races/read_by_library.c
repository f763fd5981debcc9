/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* The reader's load is a memcpy of a length that the compiler does not know. It belongs to the line that calls it. */
#include "litmus.h"

struct pool { _Alignas(LINE) char name[LINE]; };
static size_t length;
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note looked;

static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  memset(pm->name, 'x', length); //@S1
  pthread_mutex_unlock(&a);
  await(&looked);
  pm_persist(pm->name, length);
  return arg;
}

static int get(void) {
  static char copy[LINE];
  pthread_mutex_lock(&a);
  memcpy(copy, pm->name, length); //@L1
  pthread_mutex_unlock(&a);
  return copy[2];
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  length = argc > 2 ? strlen(argv[2]) : 16;
  pthread_t t;
  start(&t, writer, NULL);
  while (get() == 0) pause_ms(2);
  tell(&looked);
  finish(t);
  return 0;
}
