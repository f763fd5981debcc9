/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=lockset,happens-before
 * END */
/* The writer is cancelled while it holds the lock; its cleanup handler frees it and persists afterwards. */
#include "litmus.h"

static uint64_t *pm;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static note stored, looked;

static void cleanup(void *a) {
  (void)a;
  pthread_mutex_unlock(&m);
  await(&looked);
  pm_persist(pm, 8);
}

static void *writer(void *a) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(cleanup, NULL);
  *pm = 1; //@S1
  tell(&stored);
  for (;;) pause();
  pthread_cleanup_pop(1);
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  pthread_cancel(t);
  pthread_mutex_lock(&m);
  keep(*pm); //@L1
  pthread_mutex_unlock(&m);
  tell(&looked);
  finish(t);
  return 0;
}
