/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * expect: missing-flush store=S3
 * expect: missing-flush store=S4
 * expect: missing-flush store=S5
 * expect: missing-flush store=S6
 * END */
/* Functions of libc leave their results in persistent memory: numbers and words that were read, a line, the state of a file, a
 * date, a path, wide characters. Each is a store at the line of the call; none is flushed. */
#include "litmus.h"
#include <sys/stat.h>
#include <time.h>
#include <wchar.h>

struct pool {
  _Alignas(LINE) uint64_t number;
  char word[LINE];
  char line[LINE];
  struct stat state;
  char date[LINE];
  char path[4096];
  wchar_t wide[LINE];
};

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  FILE *file = tmpfile();
  if (file == NULL || fputs("12 word of a line\n", file) < 0) return 9;
  rewind(file);
  if (fscanf(file, "%lu %15s", &pm->number, pm->word) != 2) return 9; //@S1
  if (fgets(pm->line, LINE, file) == NULL) return 9; //@S2
  if (stat("/", &pm->state) != 0) return 9; //@S3
  time_t start_of_time = 0;
  struct tm parts;
  if (strftime(pm->date, LINE, "%Y-%m-%d", gmtime_r(&start_of_time, &parts)) == 0) return 9; //@S4
  if (getcwd(pm->path, sizeof pm->path) == NULL) return 9; //@S5
  wcscpy(pm->wide, L"abc"); //@S6
  return 0;
}
