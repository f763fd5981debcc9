/* Fifty lines for the time that `perdure check` takes: two threads, a lock, a record in a mapped file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct record {
  uint64_t key;
  uint64_t value;
};

static struct record *record;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void persist(const void *p) {
  __asm__ volatile("clflushopt %0\n\tsfence" : "+m"(*(volatile char *)p) : : "memory");
}

static void *writer(void *arg) {
  for (uint64_t i = 1; i <= 1000; i++) {
    pthread_mutex_lock(&lock);
    record->key = i;
    record->value = i * i;
    persist(record);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *reader(void *arg) {
  uint64_t sum = 0;
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&lock);
    sum += record->value;
    pthread_mutex_unlock(&lock);
  }
  *(uint64_t *)arg = sum;
  return arg;
}

int main(int argc, char **argv) {
  int fd = open(argc > 1 ? argv[1] : "pool", O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, 4096) != 0) return 1;
  record = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (record == MAP_FAILED) return 1;
  pthread_t a, b;
  uint64_t sum = 0;
  if (pthread_create(&a, NULL, writer, NULL) != 0 || pthread_create(&b, NULL, reader, &sum) != 0) return 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
