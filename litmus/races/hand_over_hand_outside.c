/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=proven evidence=lockset
 * END */
/* A list whose nodes have a lock each, walked hand over hand. The writer lets go of a node first and persists it under the
 * lock of the next one: a lock is held all the time, but never the same from the store to the persist as at the load. */
#include "litmus.h"

struct node { _Alignas(LINE) uint64_t value; };
static struct node *pm;
static pthread_mutex_t locks[5] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static note looked, stored;

static void *writer(void *arg) {
  pthread_mutex_lock(&locks[0]);
  for (int i = 0; i < 4; i++) {
    pm[i].value = 1; //@S1
    pthread_mutex_lock(&locks[i + 1]);
    pthread_mutex_unlock(&locks[i]);
    if (i == 0) {
      tell(&stored);
      await(&looked);
    }
    pm_persist(&pm[i], sizeof pm[i]);
  }
  pthread_mutex_unlock(&locks[4]);
  return arg;
}

static uint64_t first(void) {
  pthread_mutex_lock(&locks[0]);
  uint64_t v = pm[0].value; //@L1
  pthread_mutex_unlock(&locks[0]);
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4 * sizeof *pm);
  keep(first());
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  keep(first());
  tell(&looked);
  finish(t);
  return 0;
}
