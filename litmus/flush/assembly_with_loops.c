/* LITMUS
 * command: run
 * END */
/* Assembly that computes addresses itself, has loops, or stands at file scope: flushes and stores are where the registers point at that
 * moment. Everything is persisted. */
#include "litmus.h"
#include <perdure.h>

struct pool { _Alignas(LINE) uint64_t l[48][8]; };
static struct pool *pm;
__attribute__((used)) _Alignas(LINE) uint64_t declared[16];

static void flush_lines(void *p, uint64_t lines) {
  __asm__ volatile("1: clwb (%0)\n\taddq $64, %0\n\tdecq %1\n\tjnz 1b\n\tsfence" : "+r"(p), "+r"(lines) : : "memory", "cc");
}

static void stream_words(uint64_t *to, const uint64_t *from, uint64_t n) {
  uint64_t word;
  __asm__ volatile("1: movq (%1), %3; movnti %3, (%0); addq $8, %0; addq $8, %1; decq %2; jnz 1b; sfence"
                   : "+r"(to), "+r"(from), "+r"(n), "=&r"(word) : : "memory", "cc");
}

__attribute__((naked, noinline)) static void put(uint64_t *at, uint64_t value) {
  __asm__("movq %rsi, (%rdi)\n\tclwb (%rdi)\n\tsfence\n\tret");
}

void flush_line(const void *at);
__asm__(".text\n.globl flush_line\n.type flush_line, @function\nflush_line:\n\tclwb (%rdi)\n\tsfence\n\tret\n.size flush_line, .-flush_line\n");

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  for (int i = 0; i < 8; i++) pm->l[i][0] = 1;
  flush_lines(pm->l[0], 8);
  stream_words(pm->l[8], pm->l[0], 32);
  put(pm->l[12], 5);
  pm->l[13][0] = 1;
  flush_line(pm->l[13]);
  pm->l[14][0] = 1;
  __asm__ volatile("movq %0, %%rax\n\tclwb 64(%%rax)\n\tsfence" : : "r"(pm->l[13]) : "rax", "memory");
  pm->l[18][0] = 1;
  __asm__ volatile("leaq 64(%0,%1,8), %%rcx; clflushopt (%%rcx); sfence" : : "r"(pm->l[15]), "r"(16ul) : "rcx", "memory");
  __asm__ volatile("pcmpeqd %%xmm1, %%xmm1\n\tmovdqu %%xmm1, 56(%0)\n\tclwb (%0)\n\tclwb 64(%0)\n\tsfence" : : "r"(pm->l[20]) : "xmm1", "memory");
  pm->l[26][0] = 1;
  register void *base __asm__("rax") = pm->l[22];
  __asm__ volatile(".byte 0x66, 0x0f, 0xae, 0xb8, 0x00, 0x01, 0x00, 0x00; sfence" : : "r"(base) : "memory"); /* clflushopt 256(%rax) */
  PERDURE_PM(declared, sizeof declared);
  declared[9] = 1;
  __asm__ volatile("clwb declared+72(%%rip)\n\tsfence" : : : "memory");
  return 0;
}
