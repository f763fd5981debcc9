/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* A packed field lies across two cache lines. The writer changes one byte of it, in the second line; the reader loads
 * the whole field, from the first. One common byte is enough. */
#include "litmus.h"

struct __attribute__((packed)) record { char filler[LINE - 4]; uint64_t value; };
struct pool { _Alignas(LINE) struct record r; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note looked;

static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  ((volatile char *)&pm->r)[LINE + 1] = 1; //@S1
  pthread_mutex_unlock(&a);
  await(&looked);
  pm_persist((char *)&pm->r + LINE + 1, 1);
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
