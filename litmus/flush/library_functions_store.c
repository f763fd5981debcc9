/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * expect: missing-flush store=S3
 * expect: missing-flush store=S4
 * END */
/* Library functions and a system call write into persistent memory: each is a store at the line of the call. None of
 * them is flushed. */
#include "litmus.h"

struct pool {
  _Alignas(LINE) char moved[LINE];
  char copied[LINE];
  char printed[LINE];
  char received[LINE];
};

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  const char *text = argc > 2 ? argv[2] : "some text";
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], text, strlen(text)) < 0) return 9;
  memmove(pm->moved, text, strlen(text)); //@S1
  strcpy(pm->copied, text); //@S2
  snprintf(pm->printed, LINE, "%s %d", text, argc); //@S3
  if (read(ends[0], pm->received, strlen(text)) < 0) return 9; //@S4
  return 0;
}
