/* LITMUS
 * command: run
 * END */
/* Flushes in inline assembly with every kind of address: displacements, indexes, prefixes, intrinsics. */
#include "litmus.h"

struct pool { _Alignas(LINE) uint64_t l[32][8]; };

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct pool *pm = pm_map(argv[1], sizeof *pm);
  for (int i = 0; i < 20; i++) if (i < 5 || (i > 10 && i < 14) || i == 17) pm->l[i][i % 8] = 1;
  char *b = (char *)pm;
  uint64_t i64 = 64, i8 = 8;
  __asm__ volatile("clwb (%0)" : : "r"(b) : "memory");
  __asm__ volatile("clwb 64(%0)" : : "r"(b) : "memory");
  __asm__ volatile("clwb 128(%0)" : : "r"(b) : "memory");
  __asm__ volatile("clwb 64(%0,%1,2)" : : "r"(b), "r"(i64) : "memory");
  __asm__ volatile("clwb 255(%0,%1,1)" : : "r"(b), "r"(i8) : "memory");
  __asm__ volatile("clflush 704(%0)" : : "r"(b) : "memory");
  _mm_clflush(b + 12 * 64 + 63);
  __builtin_ia32_clflush(b + 13 * 64 + 1);
  __asm__ volatile(".byte 0x2e; clwb 1088(%0)" : : "r"(b) : "memory");
  __asm__ volatile("sfence" : : : "memory");
  return 0;
}
