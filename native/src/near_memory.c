#include "near_memory.h"
#include "system.h"
#include <fcntl.h>
#include <sys/mman.h>

#define REACH UINT64_C(0x7ff00000)
#define PAGE UINT64_C(4096)
/* Above a program the heap grows: keep away from there. */
#define HEAP_ROOM UINT64_C(0x20000000)
#define LEAST_ADDRESS UINT64_C(0x10000)

struct gap_search {
  uint64_t low, high, bytes;
  uint64_t below, above; /* the best places found, or 0 */
};

/* A gap of the address space: take its upper end below the module, its lower end above it. */
static void consider(struct gap_search *s, uint64_t from, uint64_t to) {
  if (to <= from || to - from < s->bytes) {
    return;
  }
  if (to <= s->low) {
    uint64_t place = (to - s->bytes) & ~(PAGE - 1);
    if (place >= from && s->high - place < REACH) {
      s->below = place;
    }
    return;
  }
  uint64_t place = from < s->high + HEAP_ROOM ? (s->high + HEAP_ROOM + PAGE - 1) & ~(PAGE - 1) : from;
  if (s->above == 0 && place + s->bytes <= to && place + s->bytes - s->low < REACH) {
    s->above = place;
  }
}

static uint64_t hexadecimal(const char *text, uint64_t *value) {
  uint64_t n = 0;
  for (*value = 0;; n++) {
    char c = text[n];
    if (c >= '0' && c <= '9') {
      *value = *value << 4 | (uint64_t)(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      *value = *value << 4 | (uint64_t)(c - 'a' + 10);
    } else {
      return n;
    }
  }
}

/* Reads /proc/self/maps line by line; a line is shorter than the buffer, and its beginning is all that counts. */
static void search(struct gap_search *s) {
  long fd = SYSTEM6(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0);
  char buffer[8192];
  uint64_t last = LEAST_ADDRESS;
  size_t used = 0;
  long got;
  while (!system_failed(fd) && (got = SYSTEM(SYS_read, fd, buffer + used, sizeof buffer - used)) > 0) {
    used += (size_t)got;
    size_t line = 0;
    for (size_t i = 0; i < used; i++) {
      if (buffer[i] == '\n') {
        uint64_t from, to;
        uint64_t n = hexadecimal(buffer + line, &from);
        hexadecimal(buffer + line + n + 1, &to);
        consider(s, last, from);
        last = to;
        line = i + 1;
      }
    }
    for (size_t i = line; i < used; i++) {
      buffer[i - line] = buffer[i];
    }
    used -= line;
  }
  SYSTEM(SYS_close, fd, 0, 0);
}

void *near_memory_map(uint64_t low, uint64_t high, size_t bytes) {
  struct gap_search s = {low, high, (bytes + PAGE - 1) & ~(PAGE - 1), 0, 0};
  search(&s);
  uint64_t place = s.below != 0 ? s.below : s.above;
  if (place == 0) {
    return NULL;
  }
  long address = SYSTEM6(SYS_mmap, place, s.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  return (uint64_t)address == place ? (void *)address : NULL;
}
