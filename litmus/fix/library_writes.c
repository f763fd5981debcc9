/* LITMUS
 * command: fix
 * options: --mode opt
 * expect: flush at=A1
 * expect: fence before=B1
 * expect: flush at=B1
 * expect: flush at=A2
 * expect: fence before=B2
 * expect: flush at=B2
 * allow: fence
 * after-fix: clean
 * END */
/* Functions of libc write to what they are given: a number that is scanned, and the time. */
#include "litmus.h"
#include <stdio.h>
#include <time.h>

struct pool { _Alignas(LINE) uint64_t number; _Alignas(LINE) uint64_t x; _Alignas(LINE) struct timespec at; _Alignas(LINE) uint64_t y; };
static struct pool *pool;

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pool = pm_map(argv[1], sizeof *pool);
  sscanf("17", "%lu", &pool->number); //@A1
  pool->x = 1; //@B1
  clock_gettime(CLOCK_MONOTONIC, &pool->at); //@A2
  pool->y = 1; //@B2
  return 0;
}
