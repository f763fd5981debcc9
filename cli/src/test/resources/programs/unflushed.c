#include "pm.h"
/* One store that nobody flushes. With a second word it also ends in that way. */
int main(int argc, char **argv) {
  uint64_t *pm = pm_map(argv[1]);
  pm[0] = 1;
  const char *end = argc > 2 ? argv[2] : "";
  if (strcmp(end, "segv") == 0) *(volatile int *)8 = 1;
  if (strcmp(end, "abort") == 0) abort();
  if (strcmp(end, "stay") == 0) signal(SIGTERM, SIG_IGN);
  if (strcmp(end, "hang") == 0 || strcmp(end, "stay") == 0) for (;;) pause();
  if (strcmp(end, "_exit") == 0) _exit(7);
  if (strcmp(end, "exit139") == 0) return 139;
  puts("done");
  return 0;
}
