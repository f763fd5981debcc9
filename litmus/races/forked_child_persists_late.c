/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* A child process stores to the shared pool and persists when its parent has read the value. Processes that map one
 * file race as threads do. */
#include "litmus.h"
#include <sys/wait.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;
static note *looked; /* shared by both processes */

static void child(void) {
  pm->x = 1; //@S1
  await(looked);
  pm_persist(&pm->x, sizeof pm->x);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  looked = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (looked == MAP_FAILED) return 9;
  pid_t pid = fork();
  if (pid < 0) return 9;
  if (pid == 0) {
    child();
    return 0;
  }
  while (pm->x == 0) pause_ms(2); //@L1
  tell(looked);
  int status;
  if (waitpid(pid, &status, 0) != pid || status != 0) return 9;
  return 0;
}
