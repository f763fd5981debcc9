/* LITMUS
 * command: run
 * END */
/* A child process stores and persists, and its parent reads when the child has ended. Processes that map one file
 * share its memory as threads do. */
#include "litmus.h"
#include <sys/wait.h>

struct pool { _Alignas(LINE) uint64_t x; };
static struct pool *pm;

static void child(void) {
  pm->x = 1;
  pm_persist(&pm->x, sizeof pm->x);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pid_t pid = fork();
  if (pid < 0) return 9;
  if (pid == 0) {
    child();
    return 0;
  }
  int status;
  if (waitpid(pid, &status, 0) != pid || status != 0) return 9;
  keep(pm->x);
  return 0;
}
