/* LITMUS
 * command: run
 * expect: missing-flush store=S2
 * expect: redundant-flush persist=P1
 * END */
/* A non-temporal store needs a fence and no flush; an ordinary store over it before the fence makes its bytes dirty again. A flush of
 * bytes that are already pending for the same thread changes nothing. */
#include "litmus.h"

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  char *pm = pm_map(argv[1], 4096);
  _mm_stream_si64((long long *)pm, argc);
  _mm_stream_si64((long long *)(pm + 64), argc);
  *(volatile char *)(pm + 64) = 1; //@S2
  _mm_stream_si64((long long *)(pm + 128), argc);
  pm_flush(pm + 128); //@P1
  pm_fence();
  return 0;
}
