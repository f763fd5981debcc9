#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { READY = 5, GIVEN_UP = 500 };

static int ready;
static volatile int ticks;

static void tick(int signal) {
  (void)signal;
  ticks++;
  if (ticks == READY) ready = 1;
  if (ticks == GIVEN_UP) _exit(1);
}

/* Only the assembly keeps a compiler from reading the variable once. */
int main(void) {
  struct itimerval every = {{0, 10000}, {0, 10000}};
  signal(SIGALRM, tick);
  setitimer(ITIMER_REAL, &every, 0);
  while (!ready) __asm__ volatile("sfence" : : : "memory");
  return ticks < READY;
}
