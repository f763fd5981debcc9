/* LITMUS
 * command: run
 * expect: persistency-race store=S1 load=L1 level>=observed evidence=happens-before
 * END */
/* The writer fills two pieces of persistent memory by readv, the reader hands the second one to writev before it is persisted. */
#include "litmus.h"
#include <sys/uio.h>

static char *pm;
static note stored, looked;
static int ends[2];

static void *writer(void *arg) {
  struct iovec v[2] = {{pm, 4}, {pm + 64, 4}};
  if (readv(ends[0], v, 2) != 8) exit(9); //@S1
  pm_persist(pm, 4);
  tell(&stored);
  await(&looked);
  pm_persist(pm + 64, 4);
  return arg;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  if (pipe(ends) != 0 || write(ends[1], "12345678", 8) != 8) return 9;
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  int null = open("/dev/null", O_WRONLY);
  struct iovec v[2] = {{(void *)"x", 1}, {pm + 64, 4}};
  if (writev(null, v, 2) != 5) return 9; //@L1
  tell(&looked);
  finish(t);
  return 0;
}
