/* Accesses of many shapes to a mapped file, by one thread. Beside its work it copies its memory map to the file of the second argument. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "maps.h"

struct record {
  uint64_t key;
  uint32_t parts[6];
  char name[32];
};

static struct record *pool;

static uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  return x * UINT64_C(0x9e3779b97f4a7c15);
}

static void persist(const void *p, size_t n) {
  for (uintptr_t a = (uintptr_t)p & ~(uintptr_t)63; a < (uintptr_t)p + n; a += 64) __asm__ volatile("clflush (%0)" : : "r"(a) : "memory");
  __asm__ volatile("sfence" : : : "memory");
}

static void strings(char *to, const char *from, size_t n) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static void words(uint64_t *to, uint64_t value, size_t n) { __asm__ volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(value) : "memory"); }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, 1 << 16) != 0) return 3;
  pool = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (pool == MAP_FAILED) return 4;
  uint64_t sum = 0;
  for (int i = 0; i < 100; i++) {
    struct record *r = &pool[mix((uint64_t)i) % 512];
    r->key += (uint64_t)i;
    r->parts[i % 6]++;
    r->name[i % 32] = (char)('a' + i % 26);
    persist(r, sizeof *r);
    sum += r->key * r->parts[i % 6];
  }
  strings(pool[3].name, "a string that is copied", 24);
  words((uint64_t *)&pool[600], sum, 16);
  __atomic_fetch_add(&pool[1].key, 3, __ATOMIC_SEQ_CST);
  uint64_t expected = 77;
  __atomic_compare_exchange_n(&pool[2].key, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  __atomic_exchange_n(&pool[2].parts[1], 9, __ATOMIC_SEQ_CST);
  _mm_stream_si64((long long *)&pool[700], (long long)sum);
  _mm_storeu_si128((__m128i *)&pool[701], _mm_loadu_si128((const __m128i *)&pool[3]));
  _mm_stream_si128((__m128i *)((char *)pool + 60000 / 64 * 64), _mm_set1_epi32(7));
  _mm_sfence();
  printf("%llu\n", (unsigned long long)sum);
  return write_maps(argv[2]);
}
