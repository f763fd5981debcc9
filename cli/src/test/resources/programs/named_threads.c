#include "pm.h"
/* A thread library of its own: threads are detached, and waiting for one reads a flag. The configuration names its two functions. */
struct task {
  void (*work)(void);
  int done;
};
static uint64_t *pm;
static void *begin(void *arg) {
  struct task *task = arg;
  task->work();
  __atomic_store_n(&task->done, 1, __ATOMIC_RELAXED);
  return NULL;
}
__attribute__((noinline)) void spawn(struct task **task, void (*work)(void)) {
  pthread_t thread;
  *task = malloc(sizeof **task);
  **task = (struct task){work, 0};
  pthread_create(&thread, NULL, begin, *task);
  pthread_detach(thread);
}
__attribute__((noinline)) void await(struct task *task) {
  while (!__atomic_load_n(&task->done, __ATOMIC_RELAXED)) usleep(100);
}
static void write_it(void) {
  pm[0] = pm[0] + 1;
  persist(pm);
}
int main(int argc, char **argv) {
  (void)argc;
  struct task *task;
  pm = pm_map(argv[1]);
  pm[0] = 1;
  persist(pm);
  spawn(&task, write_it);
  await(task);
  int written = pm[0] == 2;
  free(task);
  return written ? 0 : 1;
}
