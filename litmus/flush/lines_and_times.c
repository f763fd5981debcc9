/* LITMUS
 * command: run
 * expect: missing-flush store=A1
 * expect: missing-flush store=A2
 * expect: missing-flush store=A3
 * expect: missing-flush store=A4
 * expect: missing-flush store=A5
 * expect: missing-flush store=A6
 * END */
/* What libc leaves in memory that it is handed: lines, numbers, times, states of files, names. */
#include "litmus.h"
#include <time.h>
#include <sys/time.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 8192);
  FILE *f = tmpfile();
  fputs("first line\n42 2.5 word\n", f);
  rewind(f);
  char *line = pm;
  size_t size = 128;
  if (getline(&line, &size, f) < 0) return 9; //@A1
  if (fscanf(f, "%d", (int *)(pm + 256)) != 1) return 9; //@A2
  clock_gettime(CLOCK_REALTIME, (struct timespec *)(pm + 512)); //@A3
  if (stat(argv[1], (struct stat *)(pm + 1024))) return 9; //@A4
  if (getcwd(pm + 2048, 1000) == NULL) return 9; //@A5
  sprintf(pm + 4096, "%s", "text"); //@A6
  return 0;
}
