#include "pm.h"
/* x is persisted after the unlock; the reader looks in between. */
static uint64_t *pm;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static volatile int looked;
static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  pm[0] = 1;
  pthread_mutex_unlock(&a);
  for (int i = 0; i < 3000 && !looked; i++) usleep(1000);
  persist(pm);
  return arg;
}
int main(int argc, char **argv) {
  (void)argc;
  pm = pm_map(argv[1]);
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  uint64_t v = 0;
  while (v == 0) {
    usleep(1000);
    pthread_mutex_lock(&a);
    v = pm[0];
    pthread_mutex_unlock(&a);
  }
  looked = 1;
  pthread_join(t, NULL);
  return 0;
}
