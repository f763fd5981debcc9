/* LITMUS
 * command: run
 * expect: redundant-flush persist=P1
 * END */
/* A non-temporal store needs no flush: its bytes are pending for the thread already. For another thread's fence it does:
 * then the * flush is not needless. */
#include "litmus.h"

struct pool { _Alignas(LINE) long long x; _Alignas(LINE) long long y; };
static struct pool *pm;

static void *other(void *arg) { _mm_stream_si64(&pm->y, 1); return arg; }
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, other, NULL);
  finish(t);
  _mm_stream_si64(&pm->x, 1);
  pm_flush(&pm->x); //@P1
  pm_flush(&pm->y);
  pm_fence();
  return 0;
}
