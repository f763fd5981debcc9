#include "pm.h"
/* One store that nobody flushes. With a second word it also ends in that way. */
static uint64_t *asked;
static void on_term(int s) { (void)s; *asked = 1; }
int main(int argc, char **argv) {
  uint64_t *pm = pm_map(argv[1]);
  pm[0] = 1;
  const char *end = argc > 2 ? argv[2] : "";
  if (strcmp(end, "segv") == 0) *(volatile int *)8 = 1;
  if (strcmp(end, "abort") == 0) abort();
  if (strcmp(end, "stay") == 0) signal(SIGTERM, SIG_IGN);
  if (strcmp(end, "outlast") == 0) {
    asked = pm + 1;
    signal(SIGTERM, on_term);
    while (*(volatile uint64_t *)asked == 0) usleep(1000);
    for (int i = 0; i < 6000; i++) usleep(1000);
    pm[2] = 1;
    for (;;) pause();
  }
  if (strcmp(end, "hang") == 0 || strcmp(end, "stay") == 0) for (;;) pause();
  if (strcmp(end, "_exit") == 0) _exit(7);
  if (strcmp(end, "exit139") == 0) return 139;
  puts("done");
  return 0;
}
