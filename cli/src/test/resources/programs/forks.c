#include "pm.h"
/* The child leaves a store unflushed, the parent does not. */
int main(int argc, char **argv) {
  (void)argc;
  uint64_t *pm = pm_map(argv[1]);
  pid_t child = fork();
  if (child == 0) {
    pm[64] = 2;
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  pm[0] = 1;
  persist(pm);
  return WEXITSTATUS(status);
}
