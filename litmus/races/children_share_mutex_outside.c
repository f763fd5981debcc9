/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=S1 level>=proven evidence=lockset
 * allow: persistency-race store=S1 load=L2
 * END */
/* Two children count in the pool under a process-shared mutex in the pool itself, and persist when they have let go of it. */
#include "litmus.h"
#include <sys/wait.h>

struct pool { pthread_mutex_t a; _Alignas(LINE) uint64_t x; };
static struct pool *pm;

static void count(int n) {
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&pm->a);
    pm->x += 1; //@S1
    pthread_mutex_unlock(&pm->a);
    pause_ms(1);
    pm_persist(&pm->x, 8);
    pause_ms(1);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&pm->a, &attr);
  for (int c = 0; c < 2; c++) {
    if (fork() == 0) {
      count(40);
      _exit(0);
    }
  }
  int status = 0;
  while (wait(&status) > 0) {
    if (status != 0) return 8;
  }
  return pm->x == 80 ? 0 : 7; //@L2
}
