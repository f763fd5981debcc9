/* LITMUS
 * command: regions
 * expect: start of=S1 at=A1
 * expect: start of=S2 at=A2
 * expect: start of=S3 at=A3
 * expect: start of=S4 at=A4
 * expect: start of=S5 at=A5
 * expect: start of=S6 at=A6
 * expect: start of=S7 at=A7
 * expect: start of=S8 at=A8
 * END */
/* What holds a region up, and what does not: an early return and a failing path (the store may not come), a switch whose cases all lead to the store, calls
 * that acquire, may acquire, or are made through a pointer, a lock taken by inline assembly, a loop that acquires. A release does not. */
#include "litmus.h"

/* Stands for code without any synchronisation. */
__attribute__((noinline)) void step(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) void maybe(int n) {
  if (n) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
  }
}

__attribute__((noinline)) void early_return(uint64_t *x, int n) {
  step(0);
  if (n) return;
  step(1); //@A1
  *x = 1; //@S1
}

__attribute__((noinline)) void all_cases(uint64_t *x, int n) {
  step(2); //@A2
  switch (n) {
  case 0: step(3); break;
  case 1: step(4); step(5); break;
  case 7: step(6); break;
  default: step(7);
  }
  *x = 1; //@S2
}

__attribute__((noinline)) void callee_acquires(uint64_t *x, int n) {
  step(8);
  maybe(n);
  step(9); //@A3
  *x = 1; //@S3
}

__attribute__((noinline)) void pointer(uint64_t *x, void (*unknown)(int)) {
  step(10);
  unknown(1);
  step(11); //@A4
  *x = 1; //@S4
}

__attribute__((noinline)) void assembly(uint64_t *x, char *word) {
  char taken = 1;
  step(12);
  do {
    taken = 1;
    __asm__ volatile("xchgb %0, %1" : "+q"(taken), "+m"(*word) : : "memory");
  } while (taken);
  step(13); //@A5
  *x = 1; //@S5
}

__attribute__((noinline)) void loop(uint64_t *x, int n) {
  for (int i = 0; i < n; i++) {
    step(14);
    pthread_mutex_lock(&a);
    step(15);
    pthread_mutex_unlock(&a);
  }
  step(16); //@A6
  *x = 1; //@S6
}

__attribute__((noinline)) void release(uint64_t *x) {
  pthread_mutex_lock(&a);
  step(17); //@A7
  pthread_mutex_unlock(&a);
  step(18);
  *x = 1; //@S7
}

__attribute__((noinline)) void failing(uint64_t *x, int n) {
  step(19);
  if (n < 0) {
    step(20);
    exit(9);
  }
  step(21); //@A8
  *x = 1; //@S8
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uint64_t *pm = pm_map(argv[1], 4096);
  char word = 0;
  early_return(pm, 0);
  all_cases(pm, argc);
  callee_acquires(pm, argc);
  pointer(pm, maybe);
  assembly(pm, &word);
  loop(pm, argc);
  release(pm);
  failing(pm, argc);
  pm_persist(pm, sizeof *pm);
  return 0;
}
