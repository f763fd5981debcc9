/* LITMUS
 * command: run
 * options: --detect taint
 * expect: intra-thread-inconsistency store=S1 load=L1 effect=E1
 * END */
/* Unpersisted data is handed to longjmp: what setjmp returns for the second time depends on it. What it returned for the first time does not, nor what it
 * returns for a constant. */
#include "litmus.h"
#include <setjmp.h>

struct slot { _Alignas(LINE) volatile uint64_t number; };
struct pool { struct slot from, to[3]; };
static struct pool *pm;
static jmp_buf place;

__attribute__((noinline)) static void leave_with(int value) { longjmp(place, value); }

int main(int argc, char **argv) {
  (void)argc;
  pm = pm_map(argv[1], sizeof *pm);
  pm->from.number = 42; //@S1
  int first = setjmp(place);
  if (first == 0) {
    leave_with(17);
  }
  pm->to[0].number = (uint64_t)first;
  pm_persist(&pm->to[0], sizeof(struct slot));
  int second = setjmp(place);
  if (second == 0) {
    leave_with((int)pm->from.number); //@L1
  }
  pm->to[1].number = (uint64_t)second; //@E1
  pm_persist(&pm->to[1], sizeof(struct slot));
  pm_persist(&pm->from, sizeof(struct slot));
  return 0;
}
