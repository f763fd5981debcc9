/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-flush store=S2
 * END */
/* rep movsb and rep stosq store all that they pass over. The last lines of two of them are not flushed. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 4096);
  char from[200];
  memset(from, argc, sizeof from);
  void *to = pm;
  const void *source = from;
  size_t count = sizeof from;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(source), "+c"(count) : : "memory"); //@S1
  pm_persist(pm, 192);
  to = pm + 1024;
  count = 32;
  __asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(9ul) : "memory"); //@S2
  pm_persist(pm + 1024, 192);
  to = pm + 2048;
  count = 32;
  __asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(9ul) : "memory");
  pm_persist(pm + 2048, 256);
  return 0;
}
