/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=proven evidence=happens-before
 * END */
/* A shell script of the program starts the program once more as a helper: it stores into the pool, tells by a file, and persists
 * when the parent has read. */
#include "litmus.h"
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static void touch(const char *pool, const char *what) {
  char path[500];
  snprintf(path, sizeof path, "%s.%s", pool, what);
  close(open(path, O_CREAT | O_WRONLY, 0600));
}
static void await_file(const char *pool, const char *what) {
  char path[500];
  snprintf(path, sizeof path, "%s.%s", pool, what);
  for (int i = 0; i < 4000 && access(path, F_OK) != 0; i++) pause_ms(1);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uint64_t *pm = pm_map(argv[1], 4096);
  if (argc > 2) {
    *pm = 1; //@S1
    touch(argv[1], "stored");
    await_file(argv[1], "looked");
    pm_persist(pm, 8);
    return 0;
  }
  char command[1000];
  snprintf(command, sizeof command, "'%s' '%s' helper; exit $?", argv[0], argv[1]);
  char *shell[] = {(char *)"sh", (char *)"-c", command, NULL};
  pid_t child;
  if (posix_spawn(&child, "/bin/sh", NULL, NULL, shell, environ) != 0) return 9;
  await_file(argv[1], "stored");
  keep(*pm); //@L1
  touch(argv[1], "looked");
  int status;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 8;
}
