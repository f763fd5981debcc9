/* LITMUS
 * command: run
 * END */
/* Two workers take jobs from a queue that a mutex and a condition variable guard, and write each result into its own
 * line. A result is persisted before it is announced. */
#include "litmus.h"

#define JOBS 4
struct result { _Alignas(LINE) uint64_t value; };
struct pool { struct result result[JOBS]; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int next, announced;

static int take(void) {
  pthread_mutex_lock(&a);
  int job = next < JOBS ? next++ : -1;
  pthread_mutex_unlock(&a);
  return job;
}

static void announce(void) {
  pthread_mutex_lock(&a);
  announced++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&a);
}

static void *worker(void *arg) {
  for (int job; (job = take()) >= 0;) {
    pm->result[job].value = 10u + (unsigned)job;
    pm_persist(&pm->result[job], sizeof pm->result[job]);
    announce();
  }
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t1, t2;
  start(&t1, worker, NULL);
  start(&t2, worker, NULL);
  pthread_mutex_lock(&a);
  while (announced < JOBS) pthread_cond_wait(&changed, &a);
  pthread_mutex_unlock(&a);
  for (int job = 0; job < JOBS; job++) keep(pm->result[job].value);
  finish(t1);
  finish(t2);
  return 0;
}
