#include "pm.h"
/* A ticket lock, which nobody can recognise by its atomics; the configuration names its two functions. */
static uint64_t *pm;
static unsigned next_ticket, serving;
static volatile int looked;
__attribute__((noinline)) void take_turn(unsigned *turn) {
  unsigned mine = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != mine) usleep(100);
}
__attribute__((noinline)) void end_turn(unsigned *turn) { __atomic_store_n(turn, *turn + 1, __ATOMIC_RELEASE); }
static void *writer(void *arg) {
  while (!looked) usleep(100);
  take_turn(&serving);
  pm[0] = 1;
  persist(pm);
  end_turn(&serving);
  return arg;
}
int main(int argc, char **argv) {
  (void)argc;
  pm = pm_map(argv[1]);
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  for (uint64_t v = 0; v == 0; looked = 1) {
    take_turn(&serving);
    v = pm[0];
    end_turn(&serving);
    usleep(1000);
  }
  pthread_join(t, NULL);
  return 0;
}
