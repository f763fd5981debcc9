/* LITMUS
 * command: run
 * expect: redundant-flush persist=P1
 * forbid: redundant-flush persist=P2
 * END */
/* Needless operations are told apart by four callers: a path whose fourth caller differs is another one, a path whose
 * fifth caller differs is not. */
#include "litmus.h"

struct pool { _Alignas(LINE) volatile uint64_t x; };
static struct pool *pm;
#define END __asm__ volatile("")
#define NI __attribute__((noinline)) static void
NI op4(void) { pm_flush((void *)pm); /*//@P1*/ END; }
NI a3(void) { op4(); END; }
NI a2(void) { a3(); END; }
NI a1(void) { a2(); END; }
NI needless4(void) { a1(); END; }
NI needed4(void) { pm->x++; a1(); END; }
NI op5(void) { pm_flush((void *)pm); /*//@P2*/ END; }
NI b4(void) { op5(); END; }
NI b3(void) { b4(); END; }
NI b2(void) { b3(); END; }
NI b1(void) { b2(); END; }
NI needless5(void) { b1(); END; }
NI needed5(void) { pm->x++; b1(); END; }
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  for (int i = 0; i < 3; i++) {
    needed4();
    pm_fence();
    needless4();
    needed5();
    pm_fence();
    needless5();
  }
  return 0;
}
