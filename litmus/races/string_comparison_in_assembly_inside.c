/* LITMUS
 * command: run
 * END */
/* The correct twin of string_comparison_in_assembly: store, persist and comparison are made under one mutex. */
#include "litmus.h"

struct pool { _Alignas(LINE) char text[LINE]; };
static struct pool *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note first;

static void *writer(void *arg) {
  await(&first);
  pthread_mutex_lock(&a);
  pm->text[3] = 'x';
  pm_persist(pm->text, LINE);
  pthread_mutex_unlock(&a);
  return arg;
}

static uint64_t equal_bytes(void) {
  char zeros[LINE] = "";
  const void *x = pm->text, *y = zeros;
  uint64_t n = LINE;
  pthread_mutex_lock(&a);
  __asm__ volatile("repe cmpsb" : "+S"(x), "+D"(y), "+c"(n) : : "memory", "cc");
  pthread_mutex_unlock(&a);
  return LINE - n;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], sizeof *pm);
  pthread_t t;
  start(&t, writer, NULL);
  while (equal_bytes() == LINE) {
    tell(&first);
    pause_ms(2);
  }
  finish(t);
  return 0;
}
