/* LITMUS
 * command: run
 * options: --detect observed,taint
 * expect: persistency-race store=S1 load=L1 effect=E1 level>=harmful evidence=observed-read,durable-effect
 * expect: persistency-race store=S1 load=L2 effect=E2 level>=harmful evidence=durable-effect
 * expect: persistency-race store=S1 load=L3 level<=observed
 * expect: persistency-race store=S1 load=L4 level<=observed
 * expect: persistency-race store=S2 load=L5 effect=E3 level>=harmful
 * END */
/* Data read from another thread's open window flows into the content of a store (E1), the address of one (E2), nowhere
 * (L3), only into a branch (L4), or through a function and ordinary memory into a file (E3). */
#include "litmus.h"

struct pool { _Alignas(LINE) volatile uint64_t x; _Alignas(LINE) volatile uint64_t i; _Alignas(LINE) volatile uint64_t y; _Alignas(LINE) volatile uint64_t t[64]; };
static struct pool *pm;
static note stored, looked;
static uint64_t memory[4];

static void *writer(void *a) {
  pm->x = 3; //@S1
  pm->y = 5; //@S2
  tell(&stored);
  await(&looked);
  pm_persist((void *)pm, sizeof *pm);
  return a;
}
__attribute__((noinline)) static uint64_t twice(uint64_t v) { __asm__ volatile(""); return 2 * v; }
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  char name[4096];
  snprintf(name, sizeof name, "%s.log", argv[1]);
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return 9;
  pthread_t t;
  start(&t, writer, NULL);
  await(&stored);
  uint64_t v = pm->x; //@L1
  pm->t[0] = twice(v) + 1; //@E1
  uint64_t i = pm->x; //@L2
  pm->t[8 + i] = 7; //@E2
  keep(pm->x); //@L3
  if (pm->x > 2) argc++; //@L4
  pm->t[32] = 1;
  memory[argc & 3] = pm->y; //@L5
  char text[32];
  int n = snprintf(text, sizeof text, "%lu", memory[argc & 3]);
  if (write(fd, text, (size_t)n) != n) return 9; //@E3
  pm_persist((void *)pm->t, sizeof pm->t);
  tell(&looked);
  finish(t);
  return 0;
}
