#include "pm.h"
/* A lock that is a token in a pipe; locking tries until the token is there. The store is persisted behind the unlock. */
static uint64_t *pm;
struct lock {
  int ends[2];
};
static struct lock lock;
static volatile int looked;
__attribute__((noinline)) int token_try(struct lock *l) {
  char token;
  return read(l->ends[0], &token, 1) == 1;
}
__attribute__((noinline)) void token_lock(struct lock *l) {
  while (!token_try(l)) usleep(100);
}
__attribute__((noinline)) void token_unlock(struct lock *l) {
  if (write(l->ends[1], "t", 1) != 1) _exit(9);
}
static void *writer(void *arg) {
  token_lock(&lock);
  pm[0] = 1;
  token_unlock(&lock);
  while (!looked) usleep(100);
  persist(pm);
  return arg;
}
static uint64_t get(void) {
  token_lock(&lock);
  uint64_t v = pm[0];
  token_unlock(&lock);
  return v;
}
int main(int argc, char **argv) {
  (void)argc;
  pm = pm_map(argv[1]);
  if (pipe(lock.ends) != 0 || write(lock.ends[1], "t", 1) != 1) return 9;
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  while (get() == 0) usleep(1000);
  looked = 1;
  pthread_join(t, NULL);
  return 0;
}
