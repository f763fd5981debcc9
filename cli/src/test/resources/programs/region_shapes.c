/* Accesses of persistent memory in code of many shapes, by threads that take locks. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define WORDS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static volatile int sink;

NOINLINE static void work(int n) {
  for (int i = 0; i < n; i++) {
    sink = i;
  }
}

NOINLINE static void may_lock(int n) {
  if (n % 3 == 0) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
}

NOINLINE static uint64_t loop(uint64_t *pm, int n) {
  work(n);
  uint64_t sum = 0;
  for (int i = 0; i < n; i++) {
    sum += pm[0];
    pm[1] = sum;
    work(1);
  }
  pm[2] = sum;
  return sum;
}

NOINLINE static int early_return(uint64_t *pm, int n) {
  work(2);
  if (n % 2 == 0) {
    return 0;
  }
  work(3);
  pm[3] = (uint64_t)n;
  return (int)pm[4];
}

NOINLINE static uint64_t branches(uint64_t *pm, int n) {
  pthread_mutex_lock(&lock);
  switch (n % 4) {
  case 0: work(1); break;
  case 1: may_lock(1); break;
  case 2: sem_post(&semaphore); sem_wait(&semaphore); break;
  default: work(4);
  }
  pm[5]++;
  uint64_t value = pm[6 + n % 2];
  pthread_mutex_unlock(&lock);
  work(2);
  return value + pm[8];
}

NOINLINE static void through_calls(uint64_t *pm, int n) {
  may_lock(n);
  work(2);
  memcpy(pm + 10, pm + 20, 24);
  may_lock(n + 1);
  work(2);
  pm[9] = 1;
  __atomic_fetch_add(&pm[30], 1, __ATOMIC_SEQ_CST);
  work(1);
  pm[31] = 2;
  __asm__ volatile("lock; incq %0" : "+m"(pm[32]) : : "memory");
  work(1);
  pm[33] = 2;
}

/* Twice into the middle of a loop: no one block leads to it. */
NOINLINE static void irreducible(uint64_t *pm, int n) {
  int i = n % 5;
  work(1);
  if (n % 2 == 0) {
    goto inside;
  }
top:
  work(1);
  pm[34] = (uint64_t)i;
inside:
  pm[35]++;
  if (++i < 6) {
    goto top;
  }
  pm[36] = (uint64_t)n;
}

static _Thread_local jmp_buf out;

NOINLINE static void leave(int n) {
  if (n % 5 == 0) {
    longjmp(out, 1);
  }
}

NOINLINE static void jumps(uint64_t *pm, int n) {
  if (setjmp(out) == 0) {
    work(1);
    pm[37] = 1;
    leave(n);
  }
  work(1);
  pm[38] = 1;
}

NOINLINE static void failing(uint64_t *pm, int n) {
  work(1);
  if (n < 0) {
    work(1);
    abort();
  }
  *(volatile uint64_t *)&pm[39] = 1;
  work(n % 3);
  pm[40 + n % 8] = *(volatile uint64_t *)&pm[39];
}

static void *thread(void *argument) {
  uint64_t *pm = argument;
  for (int i = 0; i < 60; i++) {
    loop(pm, i % 4);
    early_return(pm, i);
    branches(pm, i);
    through_calls(pm, i);
    irreducible(pm, i);
    jumps(pm, i);
    failing(pm, i);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
  if (fd < 0 || ftruncate(fd, 4096) != 0 || sem_init(&semaphore, 0, 0) != 0) {
    return 2;
  }
  uint64_t *pm = mmap(NULL, WORDS * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pm == MAP_FAILED) {
    return 2;
  }
  pthread_t ids[3];
  for (int i = 0; i < 3; i++) {
    pthread_create(&ids[i], NULL, thread, pm);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(ids[i], NULL);
  }
  return 0;
}
