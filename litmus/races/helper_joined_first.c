/* LITMUS
 * command: run
 * options: --no-init-removal
 * END */
/* The clock of the persist decides: a helper persists what main has stored and is joined before the reader is made. */
#include "litmus.h"

static uint64_t *pm;

static void *helper(void *a) { pm_persist(pm, 8); return a; }
static void *reader(void *a) { keep(*pm); return a; }
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  *pm = 1;
  pthread_t t;
  start(&t, helper, NULL);
  finish(t);
  start(&t, reader, NULL);
  finish(t);
  return 0;
}
