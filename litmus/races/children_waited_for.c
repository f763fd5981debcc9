/* LITMUS
 * command: run
 * END */
/* Processes count under a shared lock; the parent reads the sum when it has waited for its children, which orders as
 * joining threads does. */
#include "litmus.h"
#include <sys/wait.h>

static uint64_t *pm;
static pthread_mutex_t *m;

static void work(void) {
  for (int i = 0; i < 20; i++) {
    pthread_mutex_lock(m);
    *pm += 1;
    pm_persist(pm, 8);
    pthread_mutex_unlock(m);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_setpshared(&at, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(m, &at);
  pid_t p[2];
  for (int i = 0; i < 2; i++) {
    p[i] = fork();
    if (p[i] == 0) {
      work();
      _exit(0);
    }
  }
  work();
  for (int i = 0; i < 2; i++) waitpid(p[i], NULL, 0);
  return *pm == 60 ? 0 : 9;
}
