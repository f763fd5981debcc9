/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before,observed-read
 * END */
/* A child process is killed under a robust lock in the pool before it has persisted. Its parent is told so when it takes the lock, and reads what
 * is not persistent yet. */
#include "litmus.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

struct pool {
  pthread_mutex_t m;
  _Alignas(LINE) uint64_t x;
};
static struct pool *pm;
static note *done; /* shared by both processes */

static void child(void) {
  if (pthread_mutex_lock(&pm->m) != 0) exit(9);
  pm->x = 1; //@S1
  tell(done);
  kill(getpid(), SIGKILL);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (done == MAP_FAILED) return 9;
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_setrobust(&at, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setpshared(&at, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&pm->m, &at);
  pm->x = 3; /* so that the child is not the first who touches it */
  pm_persist(&pm->x, sizeof pm->x);
  pid_t pid = fork();
  if (pid < 0) return 9;
  if (pid == 0) child();
  await(done);
  if (pthread_mutex_lock(&pm->m) != EOWNERDEAD) return 9;
  pthread_mutex_consistent(&pm->m);
  keep(pm->x); //@L1
  pm_persist(&pm->x, sizeof pm->x);
  pthread_mutex_unlock(&pm->m);
  int status;
  return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) ? 0 : 9;
}
