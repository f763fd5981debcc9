/* LITMUS
 * command: run
 * END */
/* The second mapping shows only the second page of the pool. What the writer stores there through the first one, it persists
 * through the second one before it unlocks. */
#include "litmus.h"

enum { PAGE = 4096 };
static char *pm, *second_page;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static note looked;

static void *writer(void *arg) {
  await(&looked); /* the reader's first look comes before the store */
  pthread_mutex_lock(&a);
  *(uint64_t *)(pm + PAGE) = 1;
  pm_persist(second_page, sizeof(uint64_t));
  pthread_mutex_unlock(&a);
  return arg;
}

static uint64_t get(void) {
  pthread_mutex_lock(&a);
  uint64_t v = *(uint64_t *)second_page;
  pthread_mutex_unlock(&a);
  return v;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  pm = pm_map(argv[1], 2 * PAGE);
  int fd = open(argv[1], O_RDWR);
  second_page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE);
  if (fd < 0 || second_page == MAP_FAILED) return 9;
  close(fd);
  pthread_t t;
  start(&t, writer, NULL);
  while (get() == 0) {
    tell(&looked);
    pause_ms(2);
  }
  finish(t);
  munmap(second_page, PAGE);
  return 0;
}
