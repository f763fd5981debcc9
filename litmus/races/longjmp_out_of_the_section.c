/* LITMUS
 * command: run
 * END */
/* longjmp out of the section: the lock stays taken and is freed by the one who jumped to; the persist lies inside. */
#include "litmus.h"
#include <setjmp.h>

static uint64_t *pm;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static __thread jmp_buf back;

__attribute__((noinline)) static void deep(void) {
  pthread_mutex_lock(&m);
  *pm += 1;
  longjmp(back, 1);
}

static void *worker(void *a) {
  for (volatile int i = 0; i < 50; i++) {
    if (setjmp(back) == 0) {
      deep();
    } else {
      pm_persist(pm, 8);
      pthread_mutex_unlock(&m);
    }
    __asm__ volatile("");
  }
  return a;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 4096);
  pthread_t t[2];
  for (int i = 0; i < 2; i++) start(&t[i], worker, NULL);
  for (int i = 0; i < 2; i++) finish(t[i]);
  return *pm == 100 ? 0 : 9;
}
