/* LITMUS
 * command: run
 * expect: missing-flush store=S1
 * expect: missing-fence store=S2
 * expect: missing-flush store=S4
 * expect: missing-flush store=S5
 * expect: missing-flush store=S6
 * expect: missing-flush store=S7
 * allow: redundant-flush
 * allow: redundant-fence
 * END */
/* Assembly that computes addresses itself, has loops, or stands at file scope. Each flush misses its line, or a fence is missing. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t l[48][8]; };
static struct pool *pm;
__attribute__((used)) _Alignas(LINE) uint64_t declared[16];

static void flush_lines(void *p, uint64_t lines) {
  __asm__ volatile("1: clwb (%0)\n\taddq $64, %0\n\tdecq %1\n\tjnz 1b\n\tsfence" : "+r"(p), "+r"(lines) : : "memory", "cc");
}

void flush_line(const void *at);
__asm__(".text\n.globl flush_line\n.type flush_line, @function\nflush_line:\n\tclwb (%rdi)\n\tsfence\n\tret\n.size flush_line, .-flush_line\n");

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  for (int i = 0; i < 8; i++) pm->l[i][0] = 1; //@S1
  flush_lines(pm->l[0], 7);
  pm->l[13][0] = 1; /* persisted further down */
  flush_line(pm->l[12]);
  pm->l[14][0] = 1; //@S4
  __asm__ volatile("movq %0, %%rax\n\tclwb (%%rax)\n\tsfence" : : "r"(pm->l[13]) : "rax", "memory");
  pm->l[13][1] = 1; //@S5
  __asm__ volatile("pcmpeqd %%xmm1, %%xmm1\n\tmovdqu %%xmm1, 56(%0)\n\tclwb (%0)\n\tsfence" : : "r"(pm->l[20]) : "xmm1", "memory"); //@S6
  PERDURE_PM(declared, sizeof declared);
  declared[9] = 1; //@S7
  __asm__ volatile("clwb declared+56(%%rip)\n\tsfence" : : : "memory");
  uint64_t *to = pm->l[8], n = 8;
  __asm__ volatile("1: movnti %1, (%0); addq $8, %0; decq %1; jnz 1b" : "+r"(to), "+r"(n) : : "memory", "cc"); //@S2
  return 0;
}
