/* Threads that do random things with six fields: store, persist at once or later, load, with any lock or none, and pass flags
 * to each other. Usage: random_threads POOL SEED */
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS 4
#define STEPS 300

struct field {
  _Alignas(64) uint64_t value;
};

static struct field *fields;
static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static _Atomic uint64_t flags[2];
static uint64_t seed;
static volatile uint64_t sink;

static void persist(const struct field *field) {
  _mm_clflush(field);
  _mm_sfence();
}

#define FIELD(n) \
  static __attribute__((noinline)) void store##n(uint64_t value) { fields[n].value = value; } \
  static __attribute__((noinline)) uint64_t load##n(void) { return fields[n].value; }
FIELD(0)
FIELD(1)
FIELD(2)
FIELD(3)
FIELD(4)
FIELD(5)

static void (*const stores[])(uint64_t) = {store0, store1, store2, store3, store4, store5};
static uint64_t (*const loads[])(void) = {load0, load1, load2, load3, load4, load5};

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

/* Fields 0 and 1 always belong to lock 0, and are persisted while it is held: they are never in a race. */
static void orderly(uint64_t *state) {
  int field = (int)(next(state) % 2);
  pthread_mutex_lock(&locks[0]);
  if (next(state) % 2 == 0) {
    stores[field](*state);
    persist(&fields[field]);
  } else {
    sink = loads[field]();
  }
  pthread_mutex_unlock(&locks[0]);
}

static void disorderly(uint64_t *state) {
  int field = 2 + (int)(next(state) % 4);
  int lock = (int)(next(state) % 4);
  int late = next(state) % 2 == 0;
  int writes = next(state) % 2 == 0;
  if (lock < 3) {
    pthread_mutex_lock(&locks[lock]);
  }
  if (writes) {
    stores[field](*state);
    if (!late) {
      persist(&fields[field]);
    }
  } else {
    sink = loads[field]();
  }
  if (lock < 3) {
    pthread_mutex_unlock(&locks[lock]);
  }
  if (writes && late) {
    persist(&fields[field]);
  }
}

static void *work(void *number) {
  uint64_t state = seed * 1000003u + (uint64_t)(uintptr_t)number;
  for (int i = 0; i < STEPS; i++) {
    switch (next(&state) % 8) {
    case 0: atomic_store_explicit(&flags[next(&state) % 2], state, memory_order_release); break;
    case 1: sink = atomic_load_explicit(&flags[next(&state) % 2], memory_order_acquire); break;
    case 2:
    case 3: orderly(&state); break;
    default: disorderly(&state); break;
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int fd = argc == 3 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
  if (fd < 0 || ftruncate(fd, 4096) != 0) {
    return 2;
  }
  fields = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  seed = strtoull(argv[2], NULL, 10);
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, work, (void *)i);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}
